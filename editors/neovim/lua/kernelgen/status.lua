--- What the server is doing, for a status line and for `:KernelGen status`: its own `kernelgen/status` and the progress
--- of long work. Every change fires the user event `KernelGenStatus`.
local M = {}

---@class kernelgen.Status The payload of `kernelgen/status`; the server's protocol page explains every field.
---@field state 'ready'|'busy'|'loading'|'warning'|'error'|'off'
---@field message string
---@field detail string
---@field model? table
---@field generationModel? table
---@field checker? table
---@field runners? table[]
---@field generation? table
---@field completion? table

---@class kernelgen.Work
---@field title string
---@field message string
---@field percentage? integer
---@field cancellable boolean

---@type table<integer, kernelgen.Status>
local statuses = {}
---@type table<integer, table<string|integer, kernelgen.Work>>
local work = {}
---@type string?
local ended

local SYMBOLS = { ready = '●', busy = '◐', loading = '◌', warning = '▲', error = '✖', off = '○' }

--- Something that the status line shows changed.
function M.changed()
  vim.api.nvim_exec_autocmds('User', { pattern = 'KernelGenStatus', modeline = false })
  vim.cmd.redrawstatus({ bang = true })
end

--- Turn the JSON nulls of a payload into absent fields.
---@param value any
---@return any
local function without_nulls(value)
  if value == vim.NIL then
    return nil
  end
  if type(value) ~= 'table' then
    return value
  end
  local out = {}
  for key, inner in pairs(value) do
    out[key] = without_nulls(inner)
  end
  return out
end

---@param client_id integer
---@param payload table
function M.update(client_id, payload)
  statuses[client_id] = without_nulls(payload)
  local generation = statuses[client_id].generation
  if generation then
    require('kernelgen.reasoning').stage(generation)
  end
  M.changed()
end

--- The server ended. The editor itself says so when that was not in order; here it stays in the status line, with what
--- to do in the report.
---@param client_id integer
---@param code integer
---@param signal integer
function M.gone(client_id, code, signal)
  statuses[client_id] = nil
  work[client_id] = nil
  if code ~= 0 or signal ~= 0 then
    ended = ('server ended (%s %d)'):format(signal ~= 0 and 'signal' or 'code', signal ~= 0 and signal or code)
  end
  M.changed()
end

--- A server serves a buffer (again).
function M.begun()
  ended = nil
  M.changed()
end

---@param client_id integer
---@param token string|integer
---@param value table
local function on_progress(client_id, token, value)
  local mine = work[client_id] or {}
  work[client_id] = mine
  if value.kind == 'end' then
    mine[token] = nil
  else
    local before = mine[token] or { title = '', message = '', cancellable = false }
    mine[token] = {
      title = value.title or before.title,
      message = value.message or before.message,
      percentage = value.percentage or before.percentage,
      cancellable = value.cancellable == nil and before.cancellable or value.cancellable,
    }
  end
  M.changed()
end

---@return kernelgen.Status?
function M.current()
  local client = require('kernelgen.client').get()
  return client and statuses[client.id] or nil
end

--- The work under way at a client.
---@param client_id integer
---@return table<string|integer, kernelgen.Work>
function M.work(client_id)
  return work[client_id] or {}
end

---@param item kernelgen.Work
---@return string
local function describe(item)
  local parts = { item.title }
  if item.percentage then
    parts[#parts + 1] = item.percentage .. '%'
  end
  if item.message ~= '' then
    parts[#parts + 1] = item.message
  end
  return table.concat(parts, ' ')
end

--- The component for a status line; empty in buffers that the server has no say in.
---@return string
function M.component()
  if ended then
    return ('%s %s'):format(SYMBOLS.error, ended)
  end
  local client = vim.lsp.get_clients({ bufnr = vim.api.nvim_get_current_buf(), name = 'kernelgen' })[1]
  if not client then
    return ''
  end
  local ghost = package.loaded['kernelgen.ghost']
  local status = statuses[client.id]
  local symbol = status and SYMBOLS[status.state] or SYMBOLS.loading
  if ghost and ghost.waiting() then
    symbol = SYMBOLS.busy
  end
  local text = status and status.message or 'KernelGen'
  local _, item = next(M.work(client.id))
  local preview = package.loaded['kernelgen.preview']
  if preview and preview.waiting() then
    text = 'proposal ready: :KernelGen show'
  elseif item then
    text = describe(item)
  end
  -- "%" means something in a status line.
  return (('%s %s'):format(symbol, text):gsub('%%', '%%%%'))
end

---@param name string
---@param part? table
---@param lines string[]
local function describe_part(name, part, lines)
  if not part then
    return
  end
  local words = { ('%-10s %s'):format(name, part.state or '') }
  if part.name and part.name ~= '' then
    words[#words + 1] = part.name
  end
  if (part.prefill or 0) > 0 then
    words[#words + 1] = ('reads %.0f, writes %.0f tokens/s (measured here)'):format(part.prefill, part.decode or 0)
  end
  if part.detail and part.detail ~= '' then
    words[#words + 1] = part.detail
  end
  lines[#lines + 1] = table.concat(words, '  ')
end

--- What `:KernelGen status` shows.
---@return string[]
function M.report()
  local status = M.current()
  if ended then
    return { ended, ':KernelGen restart starts it again; :KernelGen log shows why.' }
  end
  if not status then
    return { 'The server has not said anything yet. :checkhealth kernelgen looks into it.' }
  end
  local lines = { ('%s %s'):format(SYMBOLS[status.state] or '', status.message or '') }
  if status.detail and status.detail ~= '' then
    lines[#lines + 1] = status.detail
  end
  lines[#lines + 1] = ''
  describe_part('model', status.model, lines)
  describe_part('generation', status.generationModel, lines)
  describe_part('checker', status.checker, lines)
  for _, runner in ipairs(status.runners or {}) do
    describe_part('runner', runner, lines)
  end
  local client = require('kernelgen.client').get()
  for _, item in pairs(client and M.work(client.id) or {}) do
    lines[#lines + 1] = describe(item)
  end
  return lines
end

function M.setup()
  vim.api.nvim_create_autocmd('LspProgress', {
    group = vim.api.nvim_create_augroup('kernelgen.progress', { clear = true }),
    callback = function(event)
      local client = vim.lsp.get_client_by_id(event.data.client_id)
      if client and client.name == 'kernelgen' then
        on_progress(client.id, event.data.params.token, event.data.params.value)
      end
    end,
  })
end

return M
