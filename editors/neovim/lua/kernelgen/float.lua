--- Floats that show text: plain ones for reports, terminals for programs that take their time, and the one that a text
--- streams into.
local calm = require('kernelgen.calm')
local notice = require('kernelgen.notice')

local M = {}

local TERMINAL_WIDTH, TERMINAL_HEIGHT = 100, 20

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

--- Open a float in the middle of the screen, with the cursor in it.
---@param buffer integer
---@param title string
---@param width integer
---@param height integer
---@return integer window
local function open(buffer, title, width, height)
  width = math.min(width, vim.o.columns - 4)
  height = math.max(1, math.min(height, vim.o.lines - 6))
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

--- Show lines in the middle of the screen, once the user does not type; `q` and `<Esc>` close it.
---@param title string
---@param lines string[]
function M.report(title, lines)
  local width = #title + 2
  for _, line in ipairs(lines) do
    width = math.max(width, vim.fn.strdisplaywidth(line))
  end
  calm.when_normal(function()
    local buffer = M.scratch('report')
    set_lines(buffer, lines)
    open(buffer, title, width, #lines)
  end)
end

--- Run a program in a terminal in the middle of the screen. `q` and `<Esc>` close the float; the program goes on, and
--- a line tells how it ended.
---@param title string
---@param command string[]
---@param done fun(code: integer)
---@return integer window
function M.terminal(title, command, done)
  local buffer = M.scratch('terminal')
  vim.bo[buffer].bufhidden = 'hide'
  local window = open(buffer, title, TERMINAL_WIDTH, TERMINAL_HEIGHT)
  local ok, job = pcall(vim.fn.jobstart, command, {
    term = true,
    on_exit = function(_, code)
      if #vim.fn.win_findbuf(buffer) > 0 then
        vim.bo[buffer].bufhidden = 'wipe'
      else
        if vim.api.nvim_buf_is_valid(buffer) then
          vim.api.nvim_buf_delete(buffer, { force = true })
        end
        local ended = code == 0 and 'done' or ('ended with code %d'):format(code)
        notice.say(('%s: %s'):format(title, ended), code == 0 and vim.log.levels.INFO or vim.log.levels.WARN)
      end
      done(code)
    end,
  })
  if not ok or job <= 0 then
    vim.api.nvim_buf_delete(buffer, { force = true })
    error(ok and 'there is no such program' or job, 0)
  end
  -- On its last line the cursor follows what is printed.
  vim.cmd.normal({ 'G', bang = true })
  return window
end

---@param buffer integer
function M.close_keys(buffer)
  for _, key in ipairs({ 'q', '<Esc>' }) do
    vim.keymap.set('n', key, '<Cmd>close<CR>', { buffer = buffer, nowait = true, desc = 'Close' })
  end
end

return M
