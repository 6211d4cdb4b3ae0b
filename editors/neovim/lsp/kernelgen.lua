-- Found by `vim.lsp.enable('kernelgen')`. Everything it says stands in lua/kernelgen/client.lua.
return require('kernelgen.client').lsp_config()
