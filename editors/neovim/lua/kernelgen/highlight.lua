--- The predicate that keeps the queries for AscendC names to buffers that the server has a say in: `Add(...)` is an
--- ordinary function elsewhere.
local M = {}

function M.setup()
  vim.treesitter.query.add_predicate('kernelgen-buffer?', function(_, _, source)
    if type(source) ~= 'number' then
      return true
    end
    local known = vim.b[source].kernelgen_served
    if known == nil then
      known = require('kernelgen.client').wants(source)
      vim.b[source].kernelgen_served = known
    end
    return known
  end, { force = true })
end

return M
