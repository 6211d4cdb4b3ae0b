--- What is said to the user. A text that does not fit the message line would stop the editor until a key is pressed,
--- whatever is being typed; it is shown in a float instead, which goes with the next movement. On the command line it
--- waits until the line is left.
local calm = require('kernelgen.calm')

local M = {}

--- Stands before everything that is said.
M.PREFIX = 'kernelgen: '

local builtin = vim.notify

---@param text string
---@param level? integer One of |vim.log.levels|.
local function show(text, level)
  local fits = not text:find('\n') and vim.fn.strdisplaywidth(text) < vim.v.echospace
  if fits or vim.notify ~= builtin then
    vim.notify(text, level)
    return
  end
  vim.lsp.util.open_floating_preview(vim.split(text, '\n', { plain = true }), 'text', {
    border = 'rounded',
    focusable = false,
    wrap = true,
    max_width = math.max(20, vim.o.columns - 8),
    close_events = { 'CursorMoved', 'CursorMovedI', 'InsertEnter', 'BufLeave' },
  })
end

---@param text string
---@param level? integer One of |vim.log.levels|.
function M.say(text, level)
  calm.when_free(function()
    show(M.PREFIX .. text, level)
  end)
end

return M
