--- Draws one ghost text in one buffer: an extmark with inline or overlaid text and the lines below it.
local text = require('kernelgen.ghost.text')

local M = {}

local namespace = vim.api.nvim_create_namespace('kernelgen.ghost')
local MARK, STRUCK = 1, 2

--- The groups stand for what a colour scheme says about comments until the user links them elsewhere.
function M.define_highlights()
  vim.api.nvim_set_hl(0, 'KernelGenGhost', { link = 'NonText', default = true })
  vim.api.nvim_set_hl(0, 'KernelGenReplaced', { strikethrough = true, default = true })
  vim.api.nvim_set_hl(0, 'KernelGenCount', { link = 'Comment', default = true })
end

---@param bufnr integer
function M.clear(bufnr)
  if vim.api.nvim_buf_is_valid(bufnr) then
    vim.api.nvim_buf_clear_namespace(bufnr, namespace, 0, -1)
  end
end

---@param bufnr integer
---@param row integer Zero-based line of the cursor.
---@param column integer Zero-based byte column of the cursor.
---@param rest string What is still to come.
---@param tail string Text behind the cursor that accepting replaces.
---@param after string Text behind `tail`.
---@param label? string Such as "2/3", drawn behind the first line.
function M.show(bufnr, row, column, rest, tail, after, label)
  local drawing = text.drawing(rest, tail, after)
  local tabstop = vim.bo[bufnr].tabstop
  local cells = vim.fn.strdisplaywidth
  local line = vim.api.nvim_buf_get_lines(bufnr, row, row + 1, false)[1] or ''
  local at = cells(line:sub(1, column))
  local inline = text.expand_tabs(drawing.inline, at, tabstop, cells)
  if drawing.overlay then
    local covered = cells(tail .. after, at)
    inline = inline .. (' '):rep(covered - cells(inline))
  end
  local chunks = {}
  if inline ~= '' then
    chunks[1] = { inline, 'KernelGenGhost' }
  end
  if label and #drawing.lines == 0 and tail .. after == '' then
    chunks[#chunks + 1] = { '  ' .. label, 'KernelGenCount' }
  end
  local below = {}
  for index, ghost in ipairs(drawing.lines) do
    below[index] = { { text.expand_tabs(ghost, 0, tabstop, cells), 'KernelGenGhost' } }
  end
  if label and #below > 0 then
    table.insert(below[#below], { '  ' .. label, 'KernelGenCount' })
  end
  vim.api.nvim_buf_del_extmark(bufnr, namespace, STRUCK)
  vim.api.nvim_buf_set_extmark(bufnr, namespace, row, column, {
    id = MARK,
    virt_text = #chunks > 0 and chunks or nil,
    virt_text_pos = drawing.overlay and 'overlay' or 'inline',
    virt_lines = #below > 0 and below or nil,
    hl_mode = 'combine',
    undo_restore = false,
    strict = false,
  })
  if drawing.struck > 0 then
    vim.api.nvim_buf_set_extmark(bufnr, namespace, row, column, {
      id = STRUCK,
      end_row = row,
      end_col = column + drawing.struck,
      hl_group = 'KernelGenReplaced',
      undo_restore = false,
      strict = false,
    })
  end
end

return M
