--- What is said when a command of the server ended, whoever started it: `:KernelGen`, a code action or a lens.
local notice = require('kernelgen.notice')

local M = {}

--- A figure with what it is and what speaks against it, e.g. `add_custom: 12.50 us, measured on Ascend910B1 (median)`.
---@param measured {entry: string, kind: string, medianUs: number, chip?: string, warnings?: string[]}
---@return string
function M.measurement(measured)
  local chip = type(measured.chip) == 'string' and measured.chip ~= '' and ' on ' .. measured.chip or ''
  local parts = { ('%s: %.2f us, %s%s (median)'):format(measured.entry, measured.medianUs, measured.kind, chip) }
  if type(measured.warnings) == 'table' then
    vim.list_extend(parts, measured.warnings)
  end
  return table.concat(parts, '. ')
end

--- Say how a generation, a run or a measurement ended; other answers have nothing to say.
---@param answer any
function M.report(answer)
  if type(answer) ~= 'table' then
    return
  end
  if type(answer.reason) == 'string' and answer.reason ~= '' then
    local instead = type(answer.instead) == 'table' and answer.instead.command == 'kernelgen.verify'
    notice.say(answer.reason .. (instead and ' (:KernelGen run)' or ''), vim.log.levels.WARN)
  elseif answer.applied and type(answer.title) == 'string' then
    local errors = answer.errors or 0
    local text = ('%s: applied%s'):format(answer.title, errors > 0 and (', %d errors left'):format(errors) or '')
    if type(answer.run) == 'string' and answer.run ~= '' then
      text = ('%s (%s)'):format(text, answer.run)
    end
    local doubtful = errors > 0 or answer.verdict == 'wrong'
    notice.say(text, doubtful and vim.log.levels.WARN or vim.log.levels.INFO)
  elseif type(answer.verdict) == 'string' then
    notice.say(answer.message, answer.verdict == 'wrong' and vim.log.levels.WARN or vim.log.levels.INFO)
  elseif type(answer.medianUs) == 'number' then
    local warned = type(answer.warnings) == 'table' and #answer.warnings > 0
    notice.say(M.measurement(answer), warned and vim.log.levels.WARN or vim.log.levels.INFO)
  end
end

return M
