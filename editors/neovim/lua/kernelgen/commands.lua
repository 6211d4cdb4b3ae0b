--- `:KernelGen ...`: one table, from which completion and the report of an unknown word come too.
local notice = require('kernelgen.notice')
local outcome = require('kernelgen.outcome')

local M = {}

local function client()
  return require('kernelgen.client')
end

---@return string uri
local function uri()
  return vim.uri_from_bufnr(0)
end

--- The cursor as the server counts.
---@return lsp.Position?
local function position()
  local running = client().get(vim.api.nvim_get_current_buf())
  return running and vim.lsp.util.make_position_params(0, running.offset_encoding).position or nil
end

--- The server's program with other arguments.
---@param arguments string[]
---@return string[]
local function program(arguments)
  return vim.list_extend({ require('kernelgen.config').options.cmd[1] }, arguments)
end

---@param command string[]
---@param problem string
local function report_failure(command, problem)
  notice.say(('%s cannot be run: %s'):format(command[1], problem), vim.log.levels.ERROR)
end

--- Run the program and show what it printed.
---@param title string
---@param arguments string[]
---@param done? fun()
local function run_program(title, arguments, done)
  local command = program(arguments)
  local ok, problem = pcall(vim.system, command, { text = true, timeout = 120000 }, function(result)
    vim.schedule(function()
      local text = vim.trim(((result.stdout or '') .. '\n' .. (result.stderr or '')):gsub('\27%[[%d;]*m', ''))
      require('kernelgen.float').report(title, vim.split(text, '\n', { plain = true }))
      if done and result.code == 0 then
        done()
      end
    end)
  end)
  if not ok then
    report_failure(command, problem)
  end
end

--- Run the program in a terminal, for as long as it takes: it shows its progress there itself.
---@param title string
---@param arguments string[]
---@param done? fun()
local function follow_program(title, arguments, done)
  local command = program(arguments)
  local ok, problem = pcall(require('kernelgen.float').terminal, title, command, function(code)
    if done and code == 0 then
      done()
    end
  end)
  if not ok then
    report_failure(command, problem)
  end
end

--- Let every server load the model that is chosen now.
local function restart_models()
  for _, running in ipairs(vim.lsp.get_clients({ name = client().NAME })) do
    client().execute('kernelgen.restartModel', {}, nil, running)
  end
end

--- A generation by command; the diff arrives by itself, this says how it ended.
---@param command string
---@param with_position boolean
local function generation(command, with_position)
  local arguments = { uri() }
  if with_position then
    arguments[2] = position()
  end
  client().execute(command, arguments, outcome.report)
end

---@param result? {errors: integer, warnings: integer}
local function report_check(result)
  if not result then
    notice.say('this file is not a kernel', vim.log.levels.WARN)
  else
    notice.say(('%d errors, %d warnings'):format(result.errors, result.warnings))
  end
end

local function cancel()
  local running = client().get()
  local cancelled = false
  for token, item in pairs(running and require('kernelgen.status').work(running.id) or {}) do
    if item.cancellable then
      cancelled = true
      running:notify('window/workDoneProgress/cancel', { token = token })
    end
  end
  client().execute('kernelgen.cancelGeneration', {}, function(stopped)
    notice.say((stopped or cancelled) and 'cancelled' or 'nothing to cancel')
  end, running)
end

---@class kernelgen.Subcommand
---@field about string
---@field run fun(rest: string[])
---@field words? string[]

---@type table<string, kernelgen.Subcommand>
local subcommands = {
  generate = {
    about = 'write the kernel that the comment or api_desc.md describes',
    run = function()
      generation('kernelgen.generateKernel', true)
    end,
  },
  fix = {
    about = 'mend the error on this line, every error (fix all), or wrong outputs (fix values)',
    words = { 'all', 'values' },
    run = function(rest)
      if rest[1] == 'all' then
        generation('kernelgen.fixAll', false)
      elseif rest[1] == 'values' then
        generation('kernelgen.fixWrongValues', false)
      else
        generation('kernelgen.fix', true)
      end
    end,
  },
  check = {
    about = 'compile this file now',
    run = function()
      client().execute('kernelgen.checkNow', { uri() }, report_check)
    end,
  },
  run = {
    about = 'run the entry function under the cursor on its cases, on this CPU',
    run = function()
      client().execute('kernelgen.verify', { uri(), position() }, outcome.report)
    end,
  },
  cases = {
    about = 'write the cases that are made for the entry function under the cursor as a file',
    run = function()
      client().execute('kernelgen.writeCases', { uri(), position() }, function(answer)
        outcome.report(answer)
        if answer and answer.uri then
          vim.cmd.split(vim.fn.fnameescape(vim.uri_to_fname(answer.uri)))
        end
      end)
    end,
  },
  measure = {
    about = 'measure the entry function under the cursor',
    run = function()
      client().execute('kernelgen.measure', { uri(), position() }, outcome.report)
    end,
  },
  cancel = {
    about = 'stop what is being generated, run or measured',
    run = cancel,
  },
  show = {
    about = 'open the latest proposal, a discarded one too',
    run = function()
      if not require('kernelgen.preview').show() then
        notice.say('there is no proposal', vim.log.levels.WARN)
      end
    end,
  },
  apply = {
    about = 'apply the proposal on show',
    run = function()
      if not require('kernelgen.preview').apply() then
        notice.say('no proposal is on show; :KernelGen show opens the latest', vim.log.levels.WARN)
      end
    end,
  },
  discard = {
    about = 'discard the proposal',
    run = function()
      if not require('kernelgen.preview').discard() then
        notice.say('there is no proposal', vim.log.levels.WARN)
      end
    end,
  },
  reasoning = {
    about = 'show or hide what the model thinks',
    run = function()
      require('kernelgen.reasoning').toggle()
    end,
  },
  model = {
    about = 'the models there are; use PATH, pull REPOSITORY[:FILE], info [PATH]; restart',
    words = { 'list', 'use', 'pull', 'info', 'restart' },
    run = function(rest)
      local action = rest[1] or 'list'
      if action == 'restart' then
        client().execute('kernelgen.restartModel', {})
        return
      end
      local run = action == 'pull' and follow_program or run_program
      local chooses = action == 'use' or action == 'pull'
      run('Models', vim.list_extend({ 'model' }, #rest > 0 and rest or { action }), chooses and restart_models or nil)
    end,
  },
  runner = {
    about = 'the checker and the runners; restart the checker on this machine',
    words = { 'restart' },
    run = function(rest)
      if rest[1] == 'restart' then
        client().execute('kernelgen.restartRunner', {})
      else
        require('kernelgen.float').report('Runners', require('kernelgen.status').report())
      end
    end,
  },
  status = {
    about = 'what the server is doing',
    run = function()
      require('kernelgen.float').report('KernelGen', require('kernelgen.status').report())
    end,
  },
  stats = {
    about = 'proposals shown and accepted on this machine',
    run = function()
      client().execute('kernelgen.stats', {}, function(result)
        require('kernelgen.float').report('Statistics', vim.split(vim.inspect(result or {}), '\n', { plain = true }))
      end)
    end,
  },
  doctor = {
    about = 'check this installation',
    run = function()
      follow_program('Doctor', { 'doctor' })
    end,
  },
  log = {
    about = 'open the log',
    run = function()
      vim.cmd.tabedit(vim.fn.fnameescape(vim.lsp.log.get_filename()))
      vim.cmd.normal({ 'G', bang = true })
    end,
  },
  toggle = {
    about = 'turn ghost text off or on; toggle buffer: here only',
    words = { 'buffer' },
    run = function(rest)
      local bufnr = rest[1] == 'buffer' and vim.api.nvim_get_current_buf() or nil
      local on = require('kernelgen.ghost').toggle(bufnr)
      notice.say('ghost text is ' .. (on and 'on' or 'off'))
    end,
  },
  start = {
    about = 'start the server for this buffer',
    run = function()
      client().start(vim.api.nvim_get_current_buf())
    end,
  },
  stop = {
    about = 'stop the server',
    run = function()
      client().stop()
    end,
  },
  restart = {
    about = 'stop the server and start it again',
    run = function()
      client().restart(vim.api.nvim_get_current_buf())
    end,
  },
}

---@return string[]
local function names()
  local found = vim.tbl_keys(subcommands)
  table.sort(found)
  return found
end

---@param words string[]
function M.run(words)
  local name = table.remove(words, 1) or 'status'
  local subcommand = subcommands[name]
  if not subcommand then
    notice.say(('there is no :KernelGen %s; <Tab> lists what there is'):format(name), vim.log.levels.ERROR)
    return
  end
  subcommand.run(words)
end

---@param lead string
---@param line string
---@return string[]
function M.complete(lead, line)
  local before = vim.split(vim.trim(line:sub(1, #line - #lead)), '%s+')
  local candidates = names()
  if #before >= 2 then
    local subcommand = subcommands[before[2]]
    candidates = #before == 2 and subcommand and subcommand.words or {}
  end
  return vim.tbl_filter(function(word)
    return vim.startswith(word, lead)
  end, candidates)
end

return M
