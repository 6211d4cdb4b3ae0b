--- What is said to the user. A text that does not fit the message line would stop the editor until a key is pressed,
--- whatever is being typed; it is shown in a float instead, which goes with the next movement.
local M = {}

local builtin = vim.notify

---@param text string
---@param level? integer One of |vim.log.levels|.
function M.say(text, level)
  text = 'kernelgen: ' .. text
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

return M
