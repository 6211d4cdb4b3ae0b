--- Edits that ask for confirmation: shown as a diff in a tab of their own, applied when the user says so.
---
--- The server's `workspace/applyEdit` waits meanwhile (the handler runs in a coroutine, which rests until the decision).
--- A document that changed while its diff was on show is not touched; the server is told and offers again.
local config = require('kernelgen.config')

local M = {}

---@class kernelgen.FileChange
---@field uri string
---@field edits lsp.TextEdit[]
---@field new boolean Whether the edit makes the file.
---@field tick? integer `changedtick` of the document when the diff was shown.

---@class kernelgen.Proposal
---@field label string
---@field edit lsp.WorkspaceEdit
---@field client vim.lsp.Client
---@field changes kernelgen.FileChange[]
---@field shown integer
---@field tab? integer
---@field decide fun(answer: table)

---@type kernelgen.Proposal?
local proposal

---@param edit lsp.WorkspaceEdit
---@return boolean
local function asks(edit)
  for _, annotation in pairs(edit.changeAnnotations or {}) do
    if annotation.needsConfirmation then
      return true
    end
  end
  return false
end

--- The edit without its annotations: the user has confirmed, and Neovim 0.12 would ask again for each of them.
---@param edit lsp.WorkspaceEdit
---@return lsp.WorkspaceEdit
local function confirmed(edit)
  local plain = vim.deepcopy(edit)
  plain.changeAnnotations = nil
  for _, change in ipairs(plain.documentChanges or {}) do
    change.annotationId = nil
    for _, text_edit in ipairs(change.edits or {}) do
      text_edit.annotationId = nil
    end
  end
  for _, edits in pairs(plain.changes or {}) do
    for _, text_edit in ipairs(edits) do
      text_edit.annotationId = nil
    end
  end
  return plain
end

---@param edit lsp.WorkspaceEdit
---@return kernelgen.FileChange[]
local function files(edit)
  local found, by_uri = {}, {}
  local function file(uri)
    if not by_uri[uri] then
      by_uri[uri] = { uri = uri, edits = {}, new = false }
      table.insert(found, by_uri[uri])
    end
    return by_uri[uri]
  end
  for _, change in ipairs(edit.documentChanges or {}) do
    if change.kind == 'create' then
      file(change.uri).new = true
    elseif change.textDocument then
      vim.list_extend(file(change.textDocument.uri).edits, change.edits)
    end
  end
  for uri, edits in pairs(edit.changes or {}) do
    vim.list_extend(file(uri).edits, edits)
  end
  return found
end

--- The buffer of a document, loaded; nil for one that the edit makes.
---@param change kernelgen.FileChange
---@return integer?
local function document(change)
  local path = vim.uri_to_fname(change.uri)
  if change.new and vim.fn.bufexists(path) == 0 and not vim.uv.fs_stat(path) then
    return nil
  end
  local bufnr = vim.uri_to_bufnr(change.uri)
  vim.fn.bufload(bufnr)
  return bufnr
end

---@param edit lsp.WorkspaceEdit
---@param changes kernelgen.FileChange[]
---@return string? reason Why the edit cannot be applied any more.
local function outdated(edit, changes)
  for _, change in ipairs(changes) do
    local path = vim.uri_to_fname(change.uri)
    local bufnr = vim.fn.bufnr(path)
    if change.tick and (bufnr < 0 or vim.api.nvim_buf_get_changedtick(bufnr) ~= change.tick) then
      return vim.fs.basename(path) .. ' changed meanwhile'
    end
  end
  for _, change in ipairs(edit.documentChanges or {}) do
    local version = change.textDocument and change.textDocument.version
    if type(version) == 'number' then
      local bufnr = vim.uri_to_bufnr(change.textDocument.uri)
      if version > 0 and (vim.lsp.util.buf_versions[bufnr] or 0) > version then
        return vim.fs.basename(vim.uri_to_fname(change.textDocument.uri)) .. ' changed meanwhile'
      end
    end
  end
end

--- The empty line of a new buffer stands behind the text that was put into it; a text that ends its last line itself
--- needs none.
---@param change kernelgen.FileChange
local function trim_new(change)
  local bufnr = vim.fn.bufnr(vim.uri_to_fname(change.uri))
  if not change.new or change.tick or bufnr < 0 then
    return
  end
  local count = vim.api.nvim_buf_line_count(bufnr)
  if count > 1 and vim.api.nvim_buf_get_lines(bufnr, count - 1, count, false)[1] == '' then
    vim.api.nvim_buf_set_lines(bufnr, count - 1, count, false, {})
  end
end

---@param edit lsp.WorkspaceEdit
---@param changes kernelgen.FileChange[]
---@param encoding string
---@return table answer What `workspace/applyEdit` answers.
local function apply(edit, changes, encoding)
  local reason = outdated(edit, changes)
  if reason then
    return { applied = false, failureReason = reason }
  end
  -- One step of undo in every file, apart from what the user typed just before.
  for _, change in ipairs(changes) do
    local bufnr = document(change)
    if bufnr then
      vim.api.nvim_buf_call(bufnr, function()
        vim.cmd('let &l:undolevels = &l:undolevels')
      end)
    end
  end
  local ok, problem = pcall(vim.lsp.util.apply_workspace_edit, edit, encoding)
  if ok then
    for _, change in ipairs(changes) do
      trim_new(change)
    end
    return { applied = true }
  end
  return { applied = false, failureReason = tostring(problem) }
end

---@param answer table
local function close(answer)
  local ended = proposal
  if not ended then
    return
  end
  proposal = nil
  if ended.tab and vim.api.nvim_tabpage_is_valid(ended.tab) and #vim.api.nvim_list_tabpages() > 1 then
    vim.cmd.tabclose(vim.api.nvim_tabpage_get_number(ended.tab))
  end
  ended.decide(answer)
end

--- Apply the proposal on show. False where there is none.
---@return boolean
function M.apply()
  if not proposal then
    return false
  end
  -- Why it could not be applied is told to the server, which says it together with what can be done.
  close(apply(proposal.edit, proposal.changes, proposal.client.offset_encoding))
  return true
end

--- Refuse the proposal on show. False where there is none.
---@return boolean
function M.discard()
  if not proposal then
    return false
  end
  close({ applied = false, failureReason = 'declined' })
  return true
end

---@param window integer
---@param text string
local function head(window, text)
  vim.wo[window].winbar = text:gsub('%%', '%%%%')
end

---@param name string
---@param lines string[]
---@return integer
local function side(name, lines)
  local buffer = vim.api.nvim_create_buf(false, true)
  vim.b[buffer].kernelgen = false
  vim.bo[buffer].bufhidden = 'wipe'
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, lines)
  pcall(vim.api.nvim_buf_set_name, buffer, name)
  vim.bo[buffer].filetype = 'cpp'
  return buffer
end

---@param buffer integer
local function keys(buffer)
  local function map(lhs, action, description)
    vim.keymap.set('n', lhs, action, { buffer = buffer, nowait = true, desc = 'KernelGen: ' .. description })
  end
  map('a', M.apply, 'apply the proposal')
  map('q', M.discard, 'discard the proposal')
  map(']f', function()
    M.turn(1)
  end, 'next file of the proposal')
  map('[f', function()
    M.turn(-1)
  end, 'previous file of the proposal')
end

--- Fill the tab with the diff of one file: what is there at the left, what is proposed at the right.
local function show()
  assert(proposal)
  local change = proposal.changes[proposal.shown]
  local path = vim.fn.fnamemodify(vim.uri_to_fname(change.uri), ':~:.')
  local bufnr = document(change)
  local old = bufnr and vim.api.nvim_buf_get_lines(bufnr, 0, -1, false) or {}
  vim.cmd.only({ mods = { emsg_silent = true } })
  local left = side('kernelgen://now/' .. path, old)
  local right = side('kernelgen://proposal/' .. path, old)
  vim.lsp.util.apply_text_edits(vim.deepcopy(change.edits), right, proposal.client.offset_encoding)
  for _, buffer in ipairs({ left, right }) do
    vim.bo[buffer].modifiable = false
    vim.bo[buffer].modified = false
    keys(buffer)
  end
  local count = #proposal.changes > 1 and (' %d/%d [f ]f'):format(proposal.shown, #proposal.changes) or ''
  vim.api.nvim_win_set_buf(0, left)
  vim.cmd.diffthis()
  head(0, (bufnr and path or path .. ' (new file)') .. count)
  vim.cmd('rightbelow vertical sbuffer ' .. right)
  vim.cmd.diffthis()
  head(0, ('%s: a apply, q discard'):format(proposal.label))
end

--- Show another file of the proposal.
---@param step 1|-1
function M.turn(step)
  if proposal and #proposal.changes > 1 then
    proposal.shown = (proposal.shown - 1 + step) % #proposal.changes + 1
    show()
  end
end

---@param label string
---@param edit lsp.WorkspaceEdit
---@param client vim.lsp.Client
---@param decide fun(answer: table)
local function propose(label, edit, client, decide)
  if proposal then
    M.discard()
  end
  local changes = files(edit)
  for _, change in ipairs(changes) do
    local bufnr = document(change)
    change.tick = bufnr and vim.api.nvim_buf_get_changedtick(bufnr) or nil
  end
  vim.cmd.stopinsert()
  require('kernelgen.reasoning').close()
  vim.cmd('tab split')
  proposal = {
    label = label,
    edit = edit,
    client = client,
    changes = changes,
    shown = 1,
    tab = vim.api.nvim_get_current_tabpage(),
    decide = decide,
  }
  vim.api.nvim_create_autocmd('TabClosed', {
    group = vim.api.nvim_create_augroup('kernelgen.preview', { clear = true }),
    callback = vim.schedule_wrap(function()
      if proposal and proposal.tab and not vim.api.nvim_tabpage_is_valid(proposal.tab) then
        M.discard()
      end
    end),
  })
  show()
end

--- The handler of `workspace/applyEdit`.
---@param err? lsp.ResponseError
---@param params lsp.ApplyWorkspaceEditParams
---@param ctx lsp.HandlerContext
---@return table
function M.apply_edit(err, params, ctx)
  local client = vim.lsp.get_client_by_id(ctx.client_id)
  if err or not client then
    return { applied = false, failureReason = err and err.message or 'the client is gone' }
  end
  local thread = coroutine.running()
  local edit = confirmed(params.edit)
  if not asks(params.edit) or not config.options.preview or not thread then
    return apply(edit, files(edit), client.offset_encoding)
  end
  local answer
  propose(params.label or 'KernelGen', edit, client, function(decided)
    answer = decided
    if coroutine.status(thread) == 'suspended' then
      coroutine.resume(thread)
    end
  end)
  if not answer then
    coroutine.yield()
  end
  return answer
end

return M
