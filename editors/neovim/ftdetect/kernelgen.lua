-- Kernels are C++ with a few additions, so they get C++'s parser, indentation and other language servers.
-- `.asc` is AsciiDoc and ASCII-armoured PGP elsewhere: only what reads like a kernel is taken.
vim.filetype.add({
  extension = {
    cce = 'cpp',
    asc = function(_, bufnr)
      local head = bufnr and table.concat(vim.api.nvim_buf_get_lines(bufnr, 0, 200, false), '\n') or ''
      for _, mark in ipairs({ '__aicore__', 'kernel_operator.h', 'AscendC' }) do
        if head:find(mark, 1, true) then
          return 'cpp'
        end
      end
    end,
  },
})
