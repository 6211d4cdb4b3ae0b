-- What stands ready at start-up, cheap: one command, the <Plug> mappings, and a watch for the first buffer of a type
-- that is served, which loads the rest. Nothing is mapped to a key.
if vim.g.loaded_kernelgen then
  return
end
vim.g.loaded_kernelgen = true
if vim.fn.has('nvim-0.11') == 0 then
  vim.notify_once('kernelgen: Neovim 0.11 or newer is needed', vim.log.levels.WARN)
  return
end

vim.api.nvim_create_user_command('KernelGen', function(arguments)
  require('kernelgen.commands').run(arguments.fargs)
end, {
  nargs = '*',
  desc = 'KernelGen: generate, fix, check, run, measure and more',
  complete = function(lead, line)
    return require('kernelgen.commands').complete(lead, line)
  end,
})

local function plug(name, action)
  vim.keymap.set('i', '<Plug>(kernelgen-' .. name .. ')', function()
    action(require('kernelgen.ghost'))
  end, { silent = true, desc = 'KernelGen: ' .. name })
end

-- stylua: ignore start
plug('accept',      function(ghost) ghost.accept('all') end)
plug('accept-line', function(ghost) ghost.accept('line') end)
plug('accept-word', function(ghost) ghost.accept('word') end)
plug('next',        function(ghost) ghost.cycle(1) end)
plug('previous',    function(ghost) ghost.cycle(-1) end)
plug('dismiss',     function(ghost) ghost.dismiss() end)
plug('request',     function(ghost) ghost.request() end)
-- stylua: ignore end

local group = vim.api.nvim_create_augroup('kernelgen.start', { clear = true })
vim.api.nvim_create_autocmd('FileType', {
  group = group,
  callback = function(event)
    -- `setup` may choose the types before this file is read or after it.
    if vim.list_contains(require('kernelgen.config').options.filetypes, event.match) then
      require('kernelgen.client').on_filetype(event.buf)
    end
  end,
})
