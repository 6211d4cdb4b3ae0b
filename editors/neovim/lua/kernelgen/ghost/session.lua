--- One ghost text on offer: the items of one answer, and where in the buffer they were computed for.
---
--- The only question that matters here is *does it still fit?* An offer is bound to the text around it, not to line
--- numbers that may have moved: what stood before the anchor, what was typed since, what stands behind the cursor, and
--- the number of lines. `fit` says how much was typed, or nil, and nothing is drawn or inserted without asking it.
local text = require('kernelgen.ghost.text')

---@class kernelgen.Session
---@field bufnr integer
---@field client_id integer
---@field row integer Zero-based line of the anchor, where the items' text begins.
---@field column integer Byte column of the anchor.
---@field before string The line up to the anchor.
---@field tail string Behind the cursor, replaced when all is accepted.
---@field after string Behind `tail`, kept.
---@field line_count integer
---@field items kernelgen.Item[]
---@field index integer The item on show.
---@field invoked boolean Whether it was asked for by hand (then it holds every alternative).
local Session = {}
Session.__index = Session

---@param raw lsp.InlineCompletionItem
---@return string? text nil for snippets: ghost text has no place holders to jump to.
local function item_text(raw)
  if type(raw.insertText) ~= 'string' then
    return nil
  end
  return (raw.insertText:gsub('\r\n?', '\n'))
end

---@class kernelgen.Answered
---@field bufnr integer
---@field client vim.lsp.Client
---@field row integer The cursor's line when asked.
---@field column integer The cursor's byte column when asked.
---@field invoked boolean

--- What the server answered, as a session; nil where nothing of it can be shown at this cursor. To be called while the
--- buffer's text is the one the answer was computed for. Items on another range than the first one are left out: one
--- session has one anchor.
---@param asked kernelgen.Answered
---@param raw_items lsp.InlineCompletionItem[]
---@return kernelgen.Session?
function Session.new(asked, raw_items)
  local line = vim.api.nvim_buf_get_lines(asked.bufnr, asked.row, asked.row + 1, false)[1] or ''
  local encoding = asked.client.offset_encoding
  local self
  local seen = {}
  for _, raw in ipairs(raw_items) do
    local range = raw.range
    local from, to = asked.column, asked.column
    local here = true
    if range then
      here = range.start.line == asked.row and range['end'].line == asked.row
      from = here and vim.str_byteindex(line, encoding, range.start.character, false) or 0
      to = here and vim.str_byteindex(line, encoding, range['end'].character, false) or 0
    end
    local proposal = item_text(raw)
    if proposal and here and from <= asked.column and to >= asked.column then
      self = self
        or setmetatable({
          bufnr = asked.bufnr,
          client_id = asked.client.id,
          row = asked.row,
          column = from,
          before = line:sub(1, from),
          tail = line:sub(asked.column + 1, to),
          after = line:sub(to + 1),
          line_count = vim.api.nvim_buf_line_count(asked.bufnr),
          items = {},
          index = 1,
          invoked = asked.invoked,
        }, Session)
      local typed = line:sub(from + 1, asked.column)
      local same_range = from == self.column and line:sub(to + 1) == self.after
      if same_range and not seen[proposal] and text.remaining(proposal, typed) then
        seen[proposal] = true
        table.insert(self.items, { text = proposal, command = raw.command })
      end
    end
  end
  return self and #self.items > 0 and self or nil
end

--- What was typed of the offer when the cursor is at `row`, `column`, or nil where it does not fit the buffer any more.
---@param row integer
---@param column integer
---@return string? typed
function Session:typed(row, column)
  if row < self.row or (row == self.row and column < self.column) then
    return nil
  end
  if vim.api.nvim_buf_line_count(self.bufnr) ~= self.line_count + row - self.row then
    return nil
  end
  local lines = vim.api.nvim_buf_get_lines(self.bufnr, self.row, row + 1, false)
  local first, last = lines[1], lines[#lines]
  if not first or first:sub(1, self.column) ~= self.before or last:sub(column + 1) ~= self.tail .. self.after then
    return nil
  end
  lines[#lines] = last:sub(1, column)
  lines[1] = lines[1]:sub(self.column + 1)
  return table.concat(lines, '\n')
end

--- What is still to come of the item on show; where the typed text left that one but not another, the other is put on
--- show. nil: nothing fits.
---@param row integer
---@param column integer
---@return string? rest
function Session:fit(row, column)
  local typed = self:typed(row, column)
  if not typed then
    return nil
  end
  for offset = 0, #self.items - 1 do
    local index = (self.index - 1 + offset) % #self.items + 1
    local rest = text.remaining(self.items[index].text, typed)
    if rest then
      self.index = index
      return rest
    end
  end
  return nil
end

--- Put another item on show that fits what was typed. False where there is no other.
---@param step 1|-1
---@param row integer
---@param column integer
---@return boolean
function Session:turn(step, row, column)
  local typed = self:typed(row, column)
  if not typed then
    return false
  end
  for offset = 1, #self.items - 1 do
    local index = (self.index - 1 + step * offset) % #self.items + 1
    if text.remaining(self.items[index].text, typed) then
      self.index = index
      return true
    end
  end
  return false
end

return Session
