--- What a ghost text is, as pure functions over strings: how much of it was typed, what accepting a part of it inserts,
--- and how it is drawn. Nothing here asks the editor for its state, so all of it is tested as text in, text out.
local M = {}

---@alias kernelgen.Part 'all'|'line'|'word'

---@class kernelgen.Item
---@field text string What replaces `anchor..range end`, lines separated by "\n".
---@field command? lsp.Command What the server wants to hear when it was accepted.

--- The part of `text` still to come after `typed`; nil where `typed` is not its beginning or nothing is left.
---@param text string
---@param typed string
---@return string?
function M.remaining(text, typed)
  if #typed >= #text or text:sub(1, #typed) ~= typed then
    return nil
  end
  return text:sub(#typed + 1)
end

--- A byte offset in `text`, moved forward to the next boundary of a UTF-8 character.
---@param text string
---@param offset integer
---@return integer
local function next_boundary(text, offset)
  while offset < #text and text:byte(offset + 1) >= 0x80 and text:byte(offset + 1) < 0xC0 do
    offset = offset + 1
  end
  return offset
end

--- The next word of `rest`: leading white space and then a run of word characters, or one punctuation run, or, for
--- characters beyond ASCII, a run of those. A line break is a word together with the indentation behind it.
---@param rest string
---@return string
local function first_word(rest)
  local space = rest:match('^[ \t]*') or ''
  local body = rest:sub(#space + 1)
  if body:sub(1, 1) == '\n' then
    return space .. (body:match('^\n[ \t]*') or '\n')
  end
  local word = body:match('^[%w_]+') or body:match('^[\128-\255]+') or body:match('^[^%w_%s\128-\255]+') or ''
  return rest:sub(1, next_boundary(rest, #space + #word))
end

--- What accepting `part` of `rest` inserts. A line is everything up to the line break; where `rest` starts with the
--- break, it is the break and the line behind it.
---@param rest string
---@param part kernelgen.Part
---@return string
function M.accepted(rest, part)
  if part == 'all' then
    return rest
  end
  if part == 'word' then
    return first_word(rest)
  end
  local stop = rest:find('\n', rest:sub(1, 1) == '\n' and 2 or 1, true)
  return stop and rest:sub(1, stop - 1) or rest
end

---@param text string
---@return integer count
function M.line_breaks(text)
  local _, count = text:gsub('\n', '')
  return count
end

--- `text` with its tabs expanded as a screen would show them from display column `column`.
---@param text string
---@param column integer
---@param tabstop integer
---@param width fun(text: string): integer Display cells of a text without tabs.
---@return string
function M.expand_tabs(text, column, tabstop, width)
  local out = {}
  local first = true
  for piece in (text .. '\t'):gmatch('(.-)\t') do
    if not first then
      local cells = tabstop - column % tabstop
      out[#out + 1] = (' '):rep(cells)
      column = column + cells
    end
    first = false
    out[#out + 1] = piece
    column = column + width(piece)
  end
  return table.concat(out)
end

---@class kernelgen.Drawing
---@field inline string Drawn at the cursor.
---@field overlay boolean Whether it covers what stands behind the cursor rather than pushing it to the right.
---@field lines string[] Drawn below the line.
---@field struck integer Bytes behind the cursor that accepting removes and that are drawn struck through.

--- How to draw `rest` at the cursor of a line that goes on with `tail` (replaced when accepted) and `after` (kept).
---
--- One line pushes what follows to the right; where it ends with `tail`, `tail` is there already and is not drawn
--- twice. Of several lines the first covers what follows, since that text moves behind the last one.
---@param rest string
---@param tail string
---@param after string
---@return kernelgen.Drawing
function M.drawing(rest, tail, after)
  local lines = vim.split(rest, '\n', { plain = true })
  local first = table.remove(lines, 1)
  if #lines == 0 then
    if tail ~= '' and vim.endswith(first, tail) then
      return { inline = first:sub(1, #first - #tail), overlay = false, lines = {}, struck = 0 }
    end
    return { inline = first, overlay = false, lines = {}, struck = #tail }
  end
  if tail == '' and after == '' then
    return { inline = first, overlay = false, lines = lines, struck = 0 }
  end
  lines[#lines] = lines[#lines] .. after
  return { inline = first, overlay = true, lines = lines, struck = 0 }
end

return M
