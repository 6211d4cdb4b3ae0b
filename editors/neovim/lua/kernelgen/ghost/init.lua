--- Ghost text: asks the server while the user types, shows what it answers, inserts what is accepted.
---
--- Neovim 0.12 has a ghost text of its own; it does not check whether an answer is still about the text that is there,
--- so a slow server makes it insert at an old place. Here:
---
---   * An answer counts only for the `changedtick` and the cursor it was asked at. Otherwise it is dropped.
---   * A newer question cancels the older one at the server.
---   * Typing what is on offer asks nothing: the rest of the offer moves along (`session.lua` says whether it fits), in
---     the same event that the character arrives in, so nothing flickers.
---   * Before every drawing and every insertion the offer is held against the buffer once more.
---
--- There is one offer at a time, in the buffer that is being typed into.
local config = require('kernelgen.config')
local draw = require('kernelgen.ghost.draw')
local Session = require('kernelgen.ghost.session')
local text = require('kernelgen.ghost.text')

local M = {}

local METHOD = 'textDocument/inlineCompletion'
local INVOKED, AUTOMATIC = 1, 2
local BLOCK_MODE = '\22'

---@class kernelgen.Pending: kernelgen.Answered
---@field id? integer The request's, once it is sent.
---@field tick integer The buffer's `changedtick` when asked.
---@field step? 1|-1 The candidate wanted once the alternatives are there.

---@type kernelgen.Session?
local session
---@type kernelgen.Pending?
local pending
---@type uv.uv_timer_t?
local timer
--- Set from the start of an insertion over a visual block to its end.
local in_block = false
--- Size of the buffer in bytes at the last change, to tell typing from deleting.
local last_size = 0

---@return integer row, integer column Zero-based, in bytes.
local function cursor()
  local position = vim.api.nvim_win_get_cursor(0)
  return position[1] - 1, position[2]
end

---@param bufnr integer
---@return vim.lsp.Client?
local function client_of(bufnr)
  local ours = require('kernelgen.client')
  for _, client in ipairs(vim.lsp.get_clients({ bufnr = bufnr, name = ours.NAME })) do
    if ours.offers_ghost_text(client) and not client:is_stopped() then
      return client
    end
  end
end

---@return boolean
local function menu_open()
  if vim.fn.pumvisible() == 1 then
    return true
  end
  local cmp = package.loaded['cmp']
  if type(cmp) == 'table' then
    -- Some versions of `cmp.visible` wait for their own work first, which cannot be while the screen is drawn.
    local view = cmp.core and cmp.core.view
    if view and view:visible() or not view and cmp.visible and cmp.visible() then
      return true
    end
  end
  local blink = package.loaded['blink.cmp']
  return type(blink) == 'table' and blink.is_menu_visible ~= nil and blink.is_menu_visible() == true
end

--- Whether a menu has the place that ghost text would be shown at.
---@return boolean
local function displaced()
  return not config.options.ghost_text.with_menu and menu_open()
end

--- Whether this is a moment for ghost text at all.
---@param bufnr integer
---@return boolean
local function welcome(bufnr)
  return vim.api.nvim_get_current_buf() == bufnr
    and vim.api.nvim_get_mode().mode:sub(1, 1) == 'i'
    and vim.bo[bufnr].buftype == ''
    and vim.bo[bufnr].modifiable
    and not in_block
    and vim.fn.reg_recording() == ''
    and vim.fn.reg_executing() == ''
    and not displaced()
end

local function cancel_pending()
  if timer then
    timer:stop()
  end
  if pending then
    local asked = pending
    pending = nil
    if asked.id and not asked.client:is_stopped() then
      asked.client:cancel_request(asked.id)
    end
  end
end

local function drop_session()
  if session then
    draw.clear(session.bufnr)
    session = nil
  end
end

--- Take the offer away and forget the question that may be under way.
function M.dismiss()
  cancel_pending()
  drop_session()
end

--- Tell the server what became of the item on show; it counts, on this machine only.
---@param offer kernelgen.Session
---@param command string
---@param ... any Further arguments after the item's id.
local function tell(offer, command, ...)
  local client = vim.lsp.get_client_by_id(offer.client_id)
  local own = offer.items[offer.index].command
  if client and not client:is_stopped() and own and own.arguments then
    -- Counting is no reason to bother anyone, so nothing is done with the answer.
    local params = { command = command, arguments = { own.arguments[1], ... } }
    client:request('workspace/executeCommand', params, function() end, offer.bufnr)
  end
end

---@return string?
local function label()
  if session and #session.items > 1 then
    return ('%d/%d'):format(session.index, #session.items)
  end
end

---@return boolean shown
local function show()
  if not session then
    return false
  end
  local row, column = cursor()
  local rest = session:fit(row, column)
  if not rest or not welcome(session.bufnr) then
    drop_session()
    return false
  end
  draw.show(session.bufnr, row, column, rest, session.tail, session.after, label())
  return true
end

--- Bring what is drawn in line with the buffer without deciding anything: the events that follow do.
local function redraw()
  assert(session)
  if vim.api.nvim_get_current_buf() ~= session.bufnr then
    return
  end
  local row, column = cursor()
  local rest = not displaced() and session:fit(row, column)
  if rest then
    draw.show(session.bufnr, row, column, rest, session.tail, session.after, label())
  else
    draw.clear(session.bufnr)
  end
end

---@param asked kernelgen.Pending
---@param err? lsp.ResponseError
---@param result any
local function on_answer(asked, err, result)
  if pending ~= asked then
    return
  end
  pending = nil
  if err or not result then
    return
  end
  local row, column = cursor()
  if
    not vim.api.nvim_buf_is_valid(asked.bufnr)
    or vim.api.nvim_get_current_buf() ~= asked.bufnr
    or vim.api.nvim_buf_get_changedtick(asked.bufnr) ~= asked.tick
    or row ~= asked.row
    or column ~= asked.column
  then
    return
  end
  local new = Session.new(asked, result.items or result)
  if not new then
    return
  end
  drop_session()
  session = new
  if asked.step then
    session:turn(asked.step, row, column)
  end
  if show() then
    tell(session, 'kernelgen.completionShown')
  end
end

---@param bufnr integer
---@param invoked boolean
---@param step? 1|-1
local function ask(bufnr, invoked, step)
  cancel_pending()
  local client = client_of(bufnr)
  if not client or not welcome(bufnr) then
    return
  end
  local row, column = cursor()
  local params = vim.lsp.util.make_position_params(0, client.offset_encoding)
  ---@cast params table
  params.context = { triggerKind = invoked and INVOKED or AUTOMATIC }
  local asked = {
    bufnr = bufnr,
    client = client,
    tick = vim.api.nvim_buf_get_changedtick(bufnr),
    row = row,
    column = column,
    invoked = invoked,
    step = step,
  }
  pending = asked
  local sent, id = client:request(METHOD, params, function(err, result)
    on_answer(asked, err, result)
  end, bufnr)
  if not sent then
    pending = nil
  elseif pending == asked then
    asked.id = id
  end
end

---@param bufnr integer
local function ask_soon(bufnr)
  cancel_pending()
  timer = timer or assert(vim.uv.new_timer())
  timer:start(
    config.options.ghost_text.debounce,
    0,
    vim.schedule_wrap(function()
      if vim.api.nvim_buf_is_valid(bufnr) and not (session and session.bufnr == bufnr) then
        ask(bufnr, false)
      end
    end)
  )
end

---@param bufnr integer
---@return boolean
local function automatic(bufnr)
  return config.options.ghost_text.enabled
    and config.options.ghost_text.automatic
    and vim.b[bufnr].kernelgen_ghost_text ~= false
    and config.setting('completion.trigger') ~= 'manual'
    and config.setting('completion.enabled') ~= false
end

---@param bufnr integer
---@return integer
local function size(bufnr)
  return vim.api.nvim_buf_get_offset(bufnr, vim.api.nvim_buf_line_count(bufnr))
end

---@param bufnr integer
local function on_change(bufnr)
  local now = size(bufnr)
  local deleted = now < last_size
  last_size = now
  if show() then
    return
  end
  if not automatic(bufnr) or deleted then
    cancel_pending()
  elseif client_of(bufnr) then
    ask_soon(bufnr)
  end
end

local function on_move()
  if session and not show() then
    cancel_pending()
  end
  if pending then
    local row, column = cursor()
    local moved = row ~= pending.row or column ~= pending.column
    if moved and vim.api.nvim_buf_get_changedtick(pending.bufnr) == pending.tick then
      cancel_pending()
    end
  end
end

--- Whether there is an offer on show that fits the buffer as it is now.
---@return boolean
function M.visible()
  if not session or vim.api.nvim_get_current_buf() ~= session.bufnr or displaced() then
    return false
  end
  return session:fit(cursor()) ~= nil
end

--- Ask for every alternative at the cursor, without waiting for a pause.
function M.request()
  drop_session()
  ask(vim.api.nvim_get_current_buf(), true)
end

--- Put the next or the previous candidate on show; where only one is known, the server is asked for more.
---@param step 1|-1
function M.cycle(step)
  if not M.visible() then
    return M.request()
  end
  assert(session)
  local row, column = cursor()
  if session:turn(step, row, column) then
    show()
  elseif not session.invoked then
    ask(session.bufnr, true, step)
  end
end

--- Insert the offer, its next line or its next word, as one step of undo. False where there is nothing to accept.
---@param part? kernelgen.Part
---@return boolean
function M.accept(part)
  if not M.visible() then
    drop_session()
    return false
  end
  cancel_pending()
  local offer = assert(session)
  local row, column = cursor()
  local rest = assert(offer:fit(row, column))
  local piece = text.accepted(rest, part or 'all')
  local whole = #piece == #rest
  -- Setting the option, even to the same value, starts a new step of undo.
  vim.cmd('let &l:undolevels = &l:undolevels')
  local lines = vim.split(piece, '\n', { plain = true })
  vim.api.nvim_buf_set_text(offer.bufnr, row, column, row, column + (whole and #offer.tail or 0), lines)
  local end_row = row + #lines - 1
  local end_column = (#lines == 1 and column or 0) + #lines[#lines]
  vim.api.nvim_win_set_cursor(0, { end_row + 1, end_column })
  vim.cmd('let &l:undolevels = &l:undolevels')
  if whole then
    drop_session()
    tell(offer, 'kernelgen.completionAccepted')
  else
    local client = vim.lsp.get_client_by_id(offer.client_id)
    local typed = offer:typed(end_row, end_column) or ''
    local length = vim.str_utfindex(typed, client and client.offset_encoding or 'utf-16')
    tell(offer, 'kernelgen.completionPartiallyAccepted', length)
    show()
  end
  return true
end

--- Turn ghost text off or on, in one buffer or (nil) everywhere. Returns whether it is on now.
---@param bufnr? integer
---@return boolean
function M.toggle(bufnr)
  M.dismiss()
  if bufnr then
    vim.b[bufnr].kernelgen_ghost_text = vim.b[bufnr].kernelgen_ghost_text == false
    return vim.b[bufnr].kernelgen_ghost_text
  end
  config.options.ghost_text.enabled = not config.options.ghost_text.enabled
  return config.options.ghost_text.enabled
end

--- Whether a question is under way (for the status line and the tests).
---@return boolean
function M.waiting()
  return pending ~= nil
end

---@param bufnr integer
function M.attach(bufnr)
  local group = vim.api.nvim_create_augroup('kernelgen.ghost.' .. bufnr, { clear = true })
  local function on(events, callback)
    vim.api.nvim_create_autocmd(events, { group = group, buffer = bufnr, callback = callback })
  end
  on({ 'TextChangedI', 'TextChangedP' }, function()
    on_change(bufnr)
  end)
  on('CursorMovedI', on_move)
  on('InsertEnter', function()
    last_size = size(bufnr)
    if automatic(bufnr) and client_of(bufnr) then
      ask_soon(bufnr)
    end
  end)
  on({ 'InsertLeave', 'BufLeave', 'WinLeave', 'BufUnload' }, M.dismiss)
  on('CompleteChanged', function()
    if not config.options.ghost_text.with_menu then
      drop_session()
    end
  end)
end

---@param bufnr integer
function M.detach(bufnr)
  pcall(vim.api.nvim_del_augroup_by_name, 'kernelgen.ghost.' .. bufnr)
  if (session and session.bufnr == bufnr) or (pending and pending.bufnr == bufnr) then
    pending = nil
    drop_session()
  end
end

--- Called once: what does not belong to one buffer.
function M.setup()
  draw.define_highlights()
  local group = vim.api.nvim_create_augroup('kernelgen.ghost', { clear = true })
  vim.api.nvim_create_autocmd('ColorScheme', { group = group, callback = draw.define_highlights })
  vim.api.nvim_create_autocmd('ModeChanged', {
    group = group,
    callback = function()
      local old, new = vim.v.event.old_mode, vim.v.event.new_mode
      if old:sub(1, 1) == BLOCK_MODE and new:sub(1, 1) == 'i' then
        in_block = true
        M.dismiss()
      elseif new:sub(1, 1) ~= 'i' then
        in_block = false
      end
    end,
  })
  -- With syntax highlighting on, Neovim draws the typed character before it fires any event about it. So the offer is
  -- held against the buffer at the start of every redraw too.
  vim.api.nvim_set_decoration_provider(vim.api.nvim_create_namespace('kernelgen.ghost.redraw'), {
    on_start = function()
      if session then
        redraw()
      end
    end,
  })
  vim.api.nvim_create_autocmd('RecordingEnter', { group = group, callback = M.dismiss })
end

return M
