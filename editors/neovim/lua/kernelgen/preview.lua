--- Edits that ask for confirmation: shown as a diff in a tab of their own, applied when the user says so.
---
--- A proposal comes minutes after it was asked for, when the user may be anywhere. It opens by itself only where he
--- looks at the document in normal mode; otherwise it is kept and a line tells of it. What he types while it opens was
--- meant for the document, so the keys that decide do nothing before he has paused once.
---
--- The server's `workspace/applyEdit` waits meanwhile (the handler runs in a coroutine, which rests until the
--- decision), but not for ever on a proposal that nobody opens. One that was declined, or answered for in time, is kept
--- until the next one comes: it can be shown and applied, only the server does not learn of that any more. A document
--- whose text changed is never touched.
local calm = require('kernelgen.calm')
local config = require('kernelgen.config')
local notice = require('kernelgen.notice')

local M = {}

--- Milliseconds without a key before the keys that decide do so.
M.PAUSE = 600
--- Milliseconds that the server waits for the decision on a proposal that was not opened.
M.PATIENCE = 10 * 60 * 1000

---@class kernelgen.FileChange
---@field uri string
---@field edits lsp.TextEdit[]
---@field new boolean Whether the edit makes the file.
---@field old? string[] The document's lines when the proposal came; nil for a file that was not there.

---@class kernelgen.Proposal
---@field label string What was asked for, and what is known of the result.
---@field wrong boolean Whether what is known is that it is wrong.
---@field edit lsp.WorkspaceEdit
---@field client vim.lsp.Client
---@field encoding string
---@field changes kernelgen.FileChange[]
---@field shown integer The file whose diff is on show.
---@field awake boolean Whether the keys that decide do so.
---@field stale? string Why it never fitted: the document went on while the edit was on its way.
---@field tab? integer Where it is on show.
---@field window? integer The one with the proposed text.
---@field decide? fun(answer: table) Answers the server, which waits for it.

--- The latest proposal, until it is applied.
---@type kernelgen.Proposal?
local proposal
---@type uv.uv_timer_t?
local timer
local typing = vim.api.nvim_create_namespace('kernelgen.preview.typing')

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

--- The edit without its annotations: the user has confirmed, and Neovim 0.12 would ask again for each of them. And
--- without versions: they are compared when it comes, and undoing a change makes it fit again.
---@param edit lsp.WorkspaceEdit
---@return lsp.WorkspaceEdit
local function confirmed(edit)
  local plain = vim.deepcopy(edit)
  plain.changeAnnotations = nil
  for _, change in ipairs(plain.documentChanges or {}) do
    change.annotationId = nil
    if change.textDocument then
      change.textDocument.version = 0
    end
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

---@param change kernelgen.FileChange
---@return string[]?
local function text_of(change)
  local bufnr = document(change)
  return bufnr and vim.api.nvim_buf_get_lines(bufnr, 0, -1, false) or nil
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
  for _, change in ipairs(found) do
    change.old = text_of(change)
  end
  return found
end

---@param uri string
---@return string
local function changed(uri)
  return vim.fs.basename(vim.uri_to_fname(uri)) .. ' changed meanwhile'
end

--- Why an edit that just came is about an older text.
---@param edit lsp.WorkspaceEdit
---@return string? reason
local function outdated(edit)
  for _, change in ipairs(edit.documentChanges or {}) do
    local version = change.textDocument and change.textDocument.version
    if type(version) == 'number' then
      local bufnr = vim.uri_to_bufnr(change.textDocument.uri)
      if (vim.lsp.util.buf_versions[bufnr] or 0) > version then
        return changed(change.textDocument.uri)
      end
    end
  end
end

--- Why a proposal cannot be applied.
---@param one kernelgen.Proposal
---@return string? reason
local function misfit(one)
  for _, change in ipairs(one.changes) do
    local now = text_of(change)
    local empty = not now or (#now == 1 and now[1] == '')
    if not vim.deep_equal(now, change.old) and not (change.old == nil and empty) then
      return changed(change.uri)
    end
  end
  return one.stale
end

--- The empty line of a new buffer stands behind the text that was put into it; a text that ends its last line itself
--- needs none.
---@param change kernelgen.FileChange
local function trim_new(change)
  local bufnr = vim.fn.bufnr(vim.uri_to_fname(change.uri))
  if not change.new or change.old or bufnr < 0 then
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

--- Tell the server what became of a proposal, or, where it does not wait for it, the user. The server says it together
--- with what can be done.
---@param one kernelgen.Proposal
---@param answer table
local function tell(one, answer)
  local decide = one.decide
  one.decide = nil
  require('kernelgen.status').changed()
  if decide and not one.client:is_stopped() then
    decide(answer)
  elseif answer.applied then
    notice.say(one.label .. ': applied')
  elseif answer.failureReason ~= 'declined' then
    notice.say(('%s: %s'):format(one.label, answer.failureReason), vim.log.levels.WARN)
  end
end

---@param one kernelgen.Proposal
---@return boolean
local function on_show(one)
  return one.tab ~= nil and vim.api.nvim_tabpage_is_valid(one.tab)
end

local function stop_listening()
  vim.on_key(nil, typing)
  if timer then
    timer:stop()
  end
end

---@param one kernelgen.Proposal
local function close(one)
  local tab = one.tab
  one.tab = nil
  stop_listening()
  calm.when_free(function()
    if tab and vim.api.nvim_tabpage_is_valid(tab) and #vim.api.nvim_list_tabpages() > 1 then
      vim.cmd.tabclose(vim.api.nvim_tabpage_get_number(tab))
    end
  end)
end

--- Apply the proposal on show. False where there is none.
---@return boolean
function M.apply()
  local one = proposal
  if not one or not on_show(one) then
    return false
  end
  local reason = misfit(one)
  local answer = reason and { applied = false, failureReason = reason } or apply(one.edit, one.changes, one.encoding)
  if answer.applied then
    proposal = nil
  end
  close(one)
  tell(one, answer)
  return true
end

--- Refuse the proposal that is on show or waits to be. False where there is none.
---@return boolean
function M.discard()
  local one = proposal
  if not one or not (on_show(one) or one.decide) then
    return false
  end
  close(one)
  tell(one, { applied = false, failureReason = 'declined' })
  return true
end

--- Whether there is a proposal that nobody has looked at yet.
---@return boolean
function M.waiting()
  return proposal ~= nil and proposal.decide ~= nil and not on_show(proposal)
end

---@param window integer
---@param text string
---@param highlight? string
local function head(window, text, highlight)
  vim.wo[window].winbar = (highlight and '%#' .. highlight .. '#' or '') .. text:gsub('%%', '%%%%')
end

--- What is known of a proposal and what was asked for, in so many columns: what was asked for goes first, then the
--- details, and never that it is right or wrong.
---@param label string
---@param columns integer
---@return string
local function fitting(label, columns)
  if vim.fn.strdisplaywidth(label) <= columns then
    return label
  end
  local said = label:match('^.-: (.*)$') or label
  while said:find(' ') and vim.fn.strdisplaywidth(said) > columns do
    said = said:gsub('%s*%S+$', '')
  end
  return (said:gsub('[:;,]+$', ''))
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
  local function awake(action)
    return function()
      if proposal and proposal.awake then
        action()
      end
    end
  end
  map('a', awake(M.apply), 'apply the proposal')
  map('q', awake(M.discard), 'discard the proposal')
  map(']f', function()
    M.turn(1)
  end, 'next file of the proposal')
  map('[f', function()
    M.turn(-1)
  end, 'previous file of the proposal')
end

--- Say above the proposed text what can be done with it.
---@param one kernelgen.Proposal
local function explain(one)
  local window = one.window
  if not window or not vim.api.nvim_win_is_valid(window) then
    return
  end
  local reason = misfit(one)
  local parts = { reason }
  if one.awake then
    parts[#parts + 1] = reason and 'q close' or 'a apply, q discard'
  end
  local keys_said = #parts > 0 and ' [' .. table.concat(parts, ', ') .. ']' or ''
  local room = vim.api.nvim_win_get_width(window) - vim.fn.strdisplaywidth(keys_said)
  head(window, fitting(one.label, room) .. keys_said, one.wrong and 'WarningMsg' or nil)
end

--- Fill the tab with the diff of one file: what is there at the left, what is proposed at the right.
---@param one kernelgen.Proposal
local function draw(one)
  local change = one.changes[one.shown]
  local path = vim.fn.fnamemodify(vim.uri_to_fname(change.uri), ':~:.')
  local now = text_of(change)
  vim.cmd.only({ mods = { emsg_silent = true } })
  local left = side('kernelgen://now/' .. path, now or {})
  local right = side('kernelgen://proposal/' .. path, change.old or {})
  vim.lsp.util.apply_text_edits(vim.deepcopy(change.edits), right, one.encoding)
  for _, buffer in ipairs({ left, right }) do
    vim.bo[buffer].modifiable = false
    vim.bo[buffer].modified = false
    keys(buffer)
  end
  local count = #one.changes > 1 and (' %d/%d [f ]f'):format(one.shown, #one.changes) or ''
  vim.api.nvim_win_set_buf(0, left)
  vim.cmd.diffthis()
  head(0, (now and path or path .. ' (new file)') .. count)
  vim.cmd('rightbelow vertical sbuffer ' .. right)
  vim.cmd.diffthis()
  one.window = vim.api.nvim_get_current_win()
  explain(one)
end

--- Show another file of the proposal.
---@param step 1|-1
function M.turn(step)
  if proposal and #proposal.changes > 1 and proposal.tab == vim.api.nvim_get_current_tabpage() then
    proposal.shown = (proposal.shown - 1 + step) % #proposal.changes + 1
    draw(proposal)
  end
end

--- Let the keys decide once none was typed for a while.
---@param one kernelgen.Proposal
local function listen_after_pause(one)
  one.awake = false
  timer = timer or assert(vim.uv.new_timer())
  local function again()
    timer:start(
      M.PAUSE,
      0,
      vim.schedule_wrap(function()
        if one == proposal and on_show(one) then
          stop_listening()
          one.awake = true
          explain(one)
        end
      end)
    )
  end
  vim.on_key(function(_, typed)
    if typed ~= '' then
      again()
    end
  end, typing)
  again()
end

---@param one kernelgen.Proposal
local function open(one)
  vim.cmd.stopinsert()
  require('kernelgen.reasoning').close()
  vim.cmd('tab split')
  one.tab = vim.api.nvim_get_current_tabpage()
  listen_after_pause(one)
  vim.api.nvim_create_autocmd('TabClosed', {
    group = vim.api.nvim_create_augroup('kernelgen.preview', { clear = true }),
    callback = vim.schedule_wrap(function()
      if one.tab and not on_show(one) then
        close(one)
        tell(one, { applied = false, failureReason = 'declined' })
      end
    end),
  })
  draw(one)
  require('kernelgen.status').changed()
end

--- Bring the latest proposal on show. False where there is none.
---@return boolean
function M.show()
  local one = proposal
  if not one then
    return false
  end
  calm.when_free(function()
    if on_show(one) then
      vim.api.nvim_set_current_tabpage(one.tab)
    elseif one == proposal then
      open(one)
    end
  end)
  return true
end

--- Whether the user looks at what a proposal is about and types nothing.
---@param changes kernelgen.FileChange[]
---@return boolean
local function at_hand(changes)
  if not calm.normal() or vim.fn.reg_recording() ~= '' or vim.fn.reg_executing() ~= '' then
    return false
  end
  if proposal and proposal.tab == vim.api.nvim_get_current_tabpage() then
    return true
  end
  local here = vim.api.nvim_get_current_buf()
  return vim.iter(changes):any(function(change)
    return change.old ~= nil and document(change) == here
  end)
end

--- Keep a proposal until the user asks for it.
---@param one kernelgen.Proposal
local function keep(one)
  require('kernelgen.status').changed()
  -- In one line: a float over what the user types would be in his way.
  local ready = 'proposal ready: :KernelGen show'
  local room = vim.v.echospace - #notice.PREFIX - #ready - #'; ' - 1
  notice.say(fitting(one.label, room) .. '; ' .. ready, one.wrong and vim.log.levels.WARN or nil)
  vim.defer_fn(function()
    if one.decide and not on_show(one) then
      tell(one, { applied = false, failureReason = 'nobody has looked at the proposal yet: :KernelGen show opens it' })
    end
  end, M.PATIENCE)
end

---@param new kernelgen.Proposal
local function propose(new)
  local last, here = proposal, at_hand(new.changes)
  proposal = new
  if last then
    close(last)
    if last.decide then
      tell(last, { applied = false, failureReason = 'another proposal came' })
    end
  end
  if new.stale then
    tell(new, { applied = false, failureReason = new.stale .. '; :KernelGen show opens the proposal' })
  elseif here then
    open(new)
  else
    keep(new)
  end
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
  local changes = files(edit)
  local stale = outdated(params.edit)
  if not asks(params.edit) or not config.options.preview or not thread then
    return stale and { applied = false, failureReason = stale } or apply(edit, changes, client.offset_encoding)
  end
  local answer
  propose({
    label = params.label or 'KernelGen',
    wrong = (params.edit.changeAnnotations or {})['kernelgen.wrong'] ~= nil,
    edit = edit,
    client = client,
    encoding = client.offset_encoding,
    changes = changes,
    shown = 1,
    awake = false,
    stale = stale,
    decide = function(decided)
      answer = decided
      if coroutine.status(thread) == 'suspended' then
        coroutine.resume(thread)
      end
    end,
  })
  if not answer then
    coroutine.yield()
  end
  return answer
end

return M
