--- When something may come between the user and what he types: things that come from the server or from a program come
--- at any time.
local M = {}

--- Whether the user is neither on the command line nor in its window: a message would break the line up, and no window
--- can be opened or closed there.
---@return boolean
function M.free()
  return vim.api.nvim_get_mode().mode:sub(1, 1) ~= 'c' and vim.fn.getcmdwintype() == ''
end

--- Whether the user is in normal mode with no command begun: the cursor can be taken elsewhere.
---@return boolean
function M.normal()
  local mode = vim.api.nvim_get_mode()
  return (mode.mode == 'n' or mode.mode == 'nt') and not mode.blocking and M.free()
end

---@param ready fun(): boolean
---@param events string[]
---@param action fun()
local function when(ready, events, action)
  if ready() then
    action()
    return
  end
  local due = false
  vim.api.nvim_create_autocmd(events, {
    callback = function()
      if not due then
        due = true
        vim.schedule(function()
          when(ready, events, action)
        end)
      end
      return true
    end,
  })
end

--- Do something once the user has left the command line, now where he is not on it.
---@param action fun()
function M.when_free(action)
  when(M.free, { 'CmdlineLeave', 'CmdwinLeave' }, action)
end

--- Do something once the user is in normal mode, now where he is.
---@param action fun()
function M.when_normal(action)
  when(M.normal, { 'ModeChanged', 'CmdwinLeave' }, action)
end

return M
