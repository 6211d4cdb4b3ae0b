-- Kernels are C++ with a few additions, so they get C++'s parser, indentation and other language servers.
-- `.asc` is AsciiDoc and ASCII-armoured PGP elsewhere: only a kernel is taken, and a new file once it has become one.
vim.filetype.add({
  extension = {
    cce = 'cpp',
    asc = function(_, bufnr)
      return bufnr and require('kernelgen.client').wants(bufnr) and 'cpp' or nil
    end,
  },
})

-- In the group of the detection itself, which also looks at a buffer that gets its name by `:write`.
vim.api.nvim_create_autocmd({ 'BufNewFile', 'BufRead' }, {
  group = vim.api.nvim_create_augroup('filetypedetect', { clear = false }),
  pattern = '*.asc',
  callback = function(event)
    require('kernelgen.client').on_asc(event.buf)
  end,
})
