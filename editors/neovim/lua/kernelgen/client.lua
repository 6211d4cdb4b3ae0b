--- The language client: which buffers the server is started for, what is told to it, what is done with what it says
--- beyond the standard.
local config = require('kernelgen.config')
local marks = require('kernelgen.marks')
local notice = require('kernelgen.notice')
local outcome = require('kernelgen.outcome')

local M = {}

M.NAME = 'kernelgen'

--- So many lines hold the head of any text that is looked at.
local LINES_READ = 2000
local GRACE = 3000

---@param bufnr integer
---@return boolean
local function reads_like_kernel(bufnr)
  local text = table.concat(vim.api.nvim_buf_get_lines(bufnr, 0, LINES_READ, false), '\n')
  local head = text:sub(1, marks.head_characters)
  return vim.iter(marks.marks):any(function(mark)
    return head:find(mark, 1, true) ~= nil
  end)
end

--- Whether a file's name or a folder on the way to it says that it may be an operator's.
---@param path string
---@return boolean
local function is_placed(path)
  local named = vim.iter(marks.suffixes):any(function(suffix)
    return vim.endswith(path:lower(), suffix)
  end)
  return named
    or vim.iter(marks.folders):any(function(folder)
      return path:find('/' .. folder .. '/', 1, true) ~= nil
    end)
end

--- Whether the server has a say in this buffer. `b:kernelgen` decides where it is set.
---@param bufnr integer
---@return boolean
function M.wants(bufnr)
  local told = vim.b[bufnr].kernelgen
  if told ~= nil then
    return told ~= false and told ~= 0
  end
  local path = vim.fs.normalize(vim.api.nvim_buf_get_name(bufnr))
  if path == '' or vim.bo[bufnr].buftype ~= '' then
    return false
  end
  if is_placed(path) then
    return true
  end
  return vim.uv.fs_stat(vim.fs.joinpath(vim.fs.dirname(path), 'api_desc.md')) ~= nil or reads_like_kernel(bufnr)
end

--- The project's folder: the one with its settings, else the repository, else the operator's, else the file's own. One
--- server runs for each, with a model of its own, so a repository of many operators is one project.
---@param bufnr integer
---@return string
function M.root(bufnr)
  return vim.fs.root(bufnr, { '.kernelgen.json' })
    or vim.fs.root(bufnr, { '.git' })
    or vim.fs.root(bufnr, { 'op_kernel', 'op_host' })
    or vim.fs.dirname(vim.api.nvim_buf_get_name(bufnr))
end

---@param bufnr? integer
---@return vim.lsp.Client?
function M.get(bufnr)
  local client = vim.lsp.get_clients({ bufnr = bufnr or vim.api.nvim_get_current_buf(), name = M.NAME })[1]
  return client or (bufnr == nil and vim.lsp.get_clients({ name = M.NAME })[1] or nil)
end

--- Run a command of the server. `done` gets its result; an error is shown unless it is a cancellation.
---@param command string
---@param arguments any[]
---@param done? fun(result: any)
---@param client? vim.lsp.Client
function M.execute(command, arguments, done, client)
  client = client or M.get()
  if not client then
    notice.say('the server does not run for this buffer. :KernelGen start', vim.log.levels.WARN)
    return
  end
  client:request('workspace/executeCommand', { command = command, arguments = arguments }, function(err, result)
    if err then
      M.report(err)
    elseif done then
      done(result ~= vim.NIL and result or nil)
    end
  end, vim.api.nvim_get_current_buf())
end

---@param err lsp.ResponseError
function M.report(err)
  local codes = vim.lsp.protocol.ErrorCodes
  if err.code ~= codes.RequestCancelled and err.code ~= codes.ContentModified then
    notice.say(err.message, vim.log.levels.ERROR)
  end
end

--- What each client's server said about ghost text, by the client's id.
---@type table<integer, any>
local ghost_text = {}

--- Whether a client's server offers ghost text.
---@param client vim.lsp.Client
---@return boolean
function M.offers_ghost_text(client)
  return ghost_text[client.id] ~= nil
end

--- Neovim 0.12 shows the ghost text of every client that is known to offer it, once the user turned that on for any:
--- ours would stand there twice, and theirs is inserted without asking whether it still fits. So the editor is not to
--- know of it.
---@param client vim.lsp.Client
local function keep_ghost_text(client)
  local offered = client.server_capabilities.inlineCompletionProvider
  if offered then
    ghost_text[client.id] = offered
    client.server_capabilities.inlineCompletionProvider = nil
  end
end

---@param client vim.lsp.Client
---@param bufnr integer
local function show_lenses(client, bufnr)
  if not config.options.codelens or not client.server_capabilities.codeLensProvider then
    return
  end
  if vim.lsp.codelens.enable then
    vim.lsp.codelens.enable(true, { bufnr = bufnr })
    return
  end
  local group = vim.api.nvim_create_augroup('kernelgen.codelens.' .. bufnr, { clear = true })
  vim.api.nvim_create_autocmd({ 'BufEnter', 'BufWritePost', 'InsertLeave', 'TextChanged' }, {
    group = group,
    buffer = bufnr,
    callback = function()
      vim.lsp.codelens.refresh({ bufnr = bufnr })
    end,
  })
  vim.lsp.codelens.refresh({ bufnr = bufnr })
end

---@param client vim.lsp.Client
---@param bufnr integer
local function on_attach(client, bufnr)
  keep_ghost_text(client)
  require('kernelgen.status').begun()
  require('kernelgen.tracking').watch(bufnr)
  require('kernelgen.ghost').attach(bufnr)
  show_lenses(client, bufnr)
end

---@param bufnr integer
local function on_detach(_, bufnr)
  require('kernelgen.ghost').detach(bufnr)
  pcall(vim.api.nvim_del_augroup_by_name, 'kernelgen.codelens.' .. bufnr)
end

local watching = false

--- Watch the attachments by events, not by `on_attach`: that one belongs to the user's own configuration.
local function watch_attachments()
  if watching then
    return
  end
  watching = true
  local group = vim.api.nvim_create_augroup('kernelgen.attach', { clear = true })
  local function on(event_name, react)
    vim.api.nvim_create_autocmd(event_name, {
      group = group,
      callback = function(event)
        local client = vim.lsp.get_client_by_id(event.data.client_id)
        if client and client.name == M.NAME then
          react(client, event.buf)
        end
      end,
    })
  end
  on('LspAttach', on_attach)
  on('LspDetach', on_detach)
  require('kernelgen.ghost').setup()
  require('kernelgen.status').setup()
end

---@type table<string, lsp.Handler>
local handlers = {
  ['kernelgen/status'] = function(_, params, ctx)
    require('kernelgen.status').update(ctx.client_id, params)
  end,
  ['kernelgen/reasoning'] = function(_, params)
    require('kernelgen.reasoning').append(params)
  end,
  ['window/showMessage'] = function(_, params)
    -- MessageType counts from 1 (error) to 5 (debug), vim.log.levels from 4 (error) down.
    notice.say(params.message, math.max(vim.log.levels.DEBUG, vim.log.levels.ERROR + 1 - params.type))
  end,
  ['workspace/applyEdit'] = function(err, params, ctx)
    return require('kernelgen.preview').apply_edit(err, params, ctx)
  end,
  ['workspace/executeCommand'] = function(err, result)
    if err then
      M.report(err)
    else
      outcome.report(result)
    end
  end,
  ['workspace/codeLens/refresh'] = function(_, _, ctx)
    local client = vim.lsp.get_client_by_id(ctx.client_id)
    if config.options.codelens and client and not vim.lsp.codelens.enable then
      for bufnr in pairs(client.attached_buffers) do
        vim.lsp.codelens.refresh({ bufnr = bufnr })
      end
    end
    return vim.NIL
  end,
}
if vim.lsp.codelens.enable then
  -- From 0.12 on the editor keeps lenses up to date itself.
  handlers['workspace/codeLens/refresh'] = nil
end

---@param params lsp.InitializeParams
---@param client_config vim.lsp.ClientConfig
local function before_init(params, client_config)
  -- Added here rather than in `capabilities`, so that what completion plugins set there stays as it is.
  local capabilities = vim.deepcopy(params.capabilities)
  params.capabilities = vim.tbl_deep_extend('force', capabilities, {
    textDocument = { inlineCompletion = { dynamicRegistration = false } },
    workspace = {
      codeLens = { refreshSupport = true },
      workspaceEdit = {
        documentChanges = true,
        resourceOperations = { 'create' },
        changeAnnotationSupport = { groupsOnLabel = true },
      },
    },
    experimental = { kernelgenStatus = true, kernelgenReasoning = true },
  })
  local settings = (client_config.settings or {})[M.NAME]
  if settings and next(settings) then
    params.initializationOptions = settings
  end
end

--- What the user set, nested, as `workspace/configuration` wants it.
---@return table
local function nested_settings()
  local nested = vim.empty_dict()
  for name, value in pairs(config.options.settings) do
    local section, key = name:match('^([^.]+)%.(.+)$')
    if section then
      nested[section] = nested[section] or {}
      nested[section][key] = value
    end
  end
  return nested
end

---@type fun(command: lsp.Command, context: table)
local function from_lens(command, context)
  local client = vim.lsp.get_client_by_id(context.client_id)
  M.execute(command.command, command.arguments, outcome.report, client)
end

---@return vim.lsp.Config
function M.lsp_config()
  return {
    cmd = config.options.cmd,
    -- A lens of Neovim 0.11 does not ask the handlers above what to do with an answer.
    commands = { ['kernelgen.measure'] = from_lens, ['kernelgen.verify'] = from_lens },
    filetypes = config.options.filetypes,
    settings = { [M.NAME] = nested_settings() },
    handlers = handlers,
    before_init = before_init,
    -- Before the first `LspAttach`, where users turn on what a client offers.
    on_init = keep_ghost_text,
    on_exit = function(code, signal, client_id)
      vim.schedule(function()
        ghost_text[client_id] = nil
        require('kernelgen.status').gone(client_id, code, signal)
      end)
    end,
    root_dir = function(bufnr, on_dir)
      if M.wants(bufnr) then
        watch_attachments()
        on_dir(M.root(bufnr))
      end
    end,
  }
end

local enabled = false

---@param bufnr integer
local function attach(bufnr)
  vim.b[bufnr].kernelgen_served = nil
  if not enabled then
    enabled = true
    vim.lsp.enable(M.NAME)
  end
  -- `enable` looks at the buffers of later events; this one is already here.
  vim.schedule(function()
    if vim.api.nvim_buf_is_valid(bufnr) and #vim.lsp.get_clients({ bufnr = bufnr, name = M.NAME }) == 0 then
      vim.api.nvim_exec_autocmds('FileType', { group = 'nvim.lsp.enable', buffer = bufnr, modeline = false })
    end
  end)
end

--- Look at a buffer whenever it was written in, until `done` says that it has seen enough.
---@param bufnr integer
---@param purpose string
---@param done fun(): boolean?
local function once_written(bufnr, purpose, done)
  vim.api.nvim_create_autocmd({ 'InsertLeave', 'BufWritePost' }, {
    group = vim.api.nvim_create_augroup(('kernelgen.%s.%d'):format(purpose, bufnr), { clear = true }),
    buffer = bufnr,
    callback = done,
  })
end

--- A buffer of a type that is served was opened.
---@param bufnr integer
function M.on_filetype(bufnr)
  require('kernelgen.highlight').setup()
  if not config.options.autostart or vim.g.kernelgen_autostart == false then
    return
  end
  if M.wants(bufnr) then
    attach(bufnr)
    return
  end
  once_written(bufnr, 'watch', function()
    if M.wants(bufnr) then
      attach(bufnr)
      return true
    end
  end)
end

--- An `.asc` file was opened: a kernel or something else altogether, which a new one does not tell yet.
---@param bufnr integer
function M.on_asc(bufnr)
  once_written(bufnr, 'type', function()
    if vim.bo[bufnr].filetype == '' and M.wants(bufnr) then
      vim.bo[bufnr].filetype = 'cpp'
    end
    return vim.bo[bufnr].filetype ~= ''
  end)
end

--- Why the server cannot be started for a buffer; nil where it can.
---@param bufnr integer
---@return string?
local function obstacle(bufnr)
  if vim.bo[bufnr].buftype ~= '' or vim.api.nvim_buf_get_name(bufnr) == '' then
    return 'the server is for files, and this buffer is none'
  end
  local resolved = vim.lsp.config[M.NAME]
  local kind = vim.bo[bufnr].filetype
  if resolved.filetypes and not vim.list_contains(resolved.filetypes, kind) then
    local known = table.concat(resolved.filetypes, ', ')
    local best = vim.list_contains(resolved.filetypes, 'cpp') and 'cpp' or resolved.filetypes[1]
    return ("file type '%s' is none of the server's (%s): :setlocal filetype=%s"):format(kind, known, best)
  end
  local cmd = resolved.cmd
  if type(cmd) == 'table' and vim.fn.executable(cmd[1]) == 0 then
    return cmd[1] .. ' cannot be run: :checkhealth kernelgen'
  end
end

--- Start the server for this buffer, whatever it looks like, or say why not.
---@param bufnr integer
function M.start(bufnr)
  vim.b[bufnr].kernelgen = true
  local extension = vim.fn.fnamemodify(vim.api.nvim_buf_get_name(bufnr), ':e')
  if vim.bo[bufnr].filetype == '' and (extension == 'asc' or extension == 'cce') then
    vim.bo[bufnr].filetype = 'cpp'
  end
  local reason = obstacle(bufnr)
  if reason then
    notice.say(reason, vim.log.levels.WARN)
    return
  end
  attach(bufnr)
end

--- Ask every server of ours to end.
function M.stop()
  for _, client in ipairs(vim.lsp.get_clients({ name = M.NAME })) do
    client:stop()
  end
end

--- Stop the server, by force where it does not go in `GRACE` ms, and start it for the buffers that it served and this
--- one.
---@param bufnr integer
function M.restart(bufnr)
  local buffers = { [bufnr] = true }
  for _, client in ipairs(vim.lsp.get_clients({ name = M.NAME })) do
    for served in pairs(client.attached_buffers) do
      buffers[served] = true
    end
    client:stop()
  end
  local function gone()
    return #vim.lsp.get_clients({ name = M.NAME }) == 0
  end
  if not vim.wait(GRACE, gone, 20) then
    for _, client in ipairs(vim.lsp.get_clients({ name = M.NAME })) do
      client:stop(true)
    end
    vim.wait(GRACE, gone, 20)
  end
  for served in pairs(buffers) do
    attach(served)
  end
end

return M
