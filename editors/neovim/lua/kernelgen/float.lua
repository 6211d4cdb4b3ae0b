--- Floats that show text: a plain one for reports, and the one that a text streams into.
local M = {}

---@param buffer integer
---@param lines string[]
local function set_lines(buffer, lines)
  vim.bo[buffer].modifiable = true
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, lines)
  vim.bo[buffer].modifiable = false
end

---@param name string
---@return integer
function M.scratch(name)
  local buffer = vim.api.nvim_create_buf(false, true)
  vim.bo[buffer].bufhidden = 'wipe'
  vim.b[buffer].kernelgen = false
  vim.b[buffer].kernelgen_float = name
  return buffer
end

--- Show lines in the middle of the screen, with the cursor in them; `q` and `<Esc>` close it.
---@param title string
---@param lines string[]
---@return integer window
function M.report(title, lines)
  local width = #title + 2
  for _, line in ipairs(lines) do
    width = math.max(width, vim.fn.strdisplaywidth(line))
  end
  width = math.min(width, vim.o.columns - 4)
  local height = math.max(1, math.min(#lines, vim.o.lines - 6))
  local buffer = M.scratch('report')
  set_lines(buffer, lines)
  local window = vim.api.nvim_open_win(buffer, true, {
    relative = 'editor',
    width = width,
    height = height,
    row = math.floor((vim.o.lines - height) / 2) - 1,
    col = math.floor((vim.o.columns - width) / 2),
    style = 'minimal',
    border = 'rounded',
    title = ' ' .. title .. ' ',
  })
  vim.wo[window].wrap = true
  M.close_keys(buffer)
  return window
end

---@param buffer integer
function M.close_keys(buffer)
  for _, key in ipairs({ 'q', '<Esc>' }) do
    vim.keymap.set('n', key, '<Cmd>close<CR>', { buffer = buffer, nowait = true, desc = 'Close' })
  end
end

return M
