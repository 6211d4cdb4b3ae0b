--- The float that a generation's reasoning streams into, at the right edge of the screen and never in the way of
--- typing: it does not take the cursor, `q` inside it (or `:KernelGen reasoning`) closes it.
local config = require('kernelgen.config')
local float = require('kernelgen.float')

local M = {}

local WIDTH, HEIGHT = 64, 16

---@class kernelgen.Reasoning
---@field id string
---@field title string
---@field lines string[]
---@field stage string
---@field done boolean

---@type kernelgen.Reasoning?
local current
---@type integer?
local window
--- Set when the user closed the float while this generation was going on.
local closed_for

---@return boolean
local function open()
  return window ~= nil and vim.api.nvim_win_is_valid(window)
end

---@return string
local function title()
  local shown = current and current.title or 'Reasoning'
  if current and current.stage ~= '' then
    shown = shown .. ' · ' .. current.stage
  end
  return ' ' .. shown .. ' '
end

local function fill()
  if not open() or not current then
    return
  end
  assert(window)
  local buffer = vim.api.nvim_win_get_buf(window)
  vim.bo[buffer].modifiable = true
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, current.lines)
  vim.bo[buffer].modifiable = false
  vim.api.nvim_win_set_config(window, { title = title() })
  if vim.api.nvim_get_current_win() ~= window then
    vim.api.nvim_win_set_cursor(window, { #current.lines, 0 })
  end
end

---@param enter boolean
local function show(enter)
  local buffer = float.scratch('reasoning')
  local width = math.max(20, math.min(WIDTH, vim.o.columns - 8))
  local height = math.max(3, math.min(HEIGHT, vim.o.lines - 6))
  window = vim.api.nvim_open_win(buffer, enter, {
    relative = 'editor',
    anchor = 'NE',
    row = 1,
    col = vim.o.columns - 1,
    width = width,
    height = height,
    style = 'minimal',
    border = 'rounded',
    title = title(),
    zindex = 40,
  })
  vim.wo[window].wrap = true
  vim.wo[window].linebreak = true
  float.close_keys(buffer)
  vim.api.nvim_create_autocmd('WinClosed', {
    pattern = tostring(window),
    once = true,
    callback = function()
      window = nil
      if current and not current.done then
        closed_for = current.id
      end
    end,
  })
  fill()
end

--- A further piece of a generation's reasoning (the params of `kernelgen/reasoning`).
---@param params {generation: string, title: string, text: string, done: boolean}
function M.append(params)
  if not current or current.id ~= params.generation then
    current = { id = params.generation, title = params.title, lines = { '' }, stage = '', done = false }
  end
  local pieces = vim.split(params.text or '', '\n', { plain = true })
  current.lines[#current.lines] = current.lines[#current.lines] .. pieces[1]
  for index = 2, #pieces do
    table.insert(current.lines, pieces[index])
  end
  current.done = params.done == true
  if not open() and config.options.reasoning and closed_for ~= current.id and not current.done then
    show(false)
  else
    fill()
  end
end

--- How far the generation is (the `generation` of `kernelgen/status`), for the float's title.
---@param generation {stage: string, candidate: integer, candidates: integer, round: integer, tokens: integer}
function M.stage(generation)
  if not current or current.done then
    return
  end
  local parts = { generation.stage or '' }
  if (generation.candidates or 1) > 1 then
    parts[#parts + 1] = ('candidate %d/%d'):format(generation.candidate or 1, generation.candidates)
  end
  if (generation.round or 0) > 0 then
    parts[#parts + 1] = 'round ' .. generation.round
  end
  if (generation.tokens or 0) > 0 then
    parts[#parts + 1] = generation.tokens .. ' tokens'
  end
  current.stage = table.concat(parts, ', ')
  if open() then
    vim.api.nvim_win_set_config(assert(window), { title = title() })
  end
end

function M.close()
  if open() then
    vim.api.nvim_win_close(assert(window), true)
  end
end

--- Open the float with the cursor in it, or close it; the server is asked for a reasoning that was not streamed here.
function M.toggle()
  if open() then
    M.close()
  elseif current then
    show(true)
  else
    require('kernelgen.client').execute('kernelgen.showReasoning', {}, function(result)
      if not result or not result.text or result.text == '' then
        require('kernelgen.notice').say('nothing was generated yet', vim.log.levels.INFO)
        return
      end
      float.report(result.title, vim.split(result.text, '\n', { plain = true }))
    end)
  end
end

return M
