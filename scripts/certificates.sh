# Sourced before npm runs: Node brings its own list of certificates; what this machine's administrator trusts counts too.
system_certificates=/etc/ssl/certs/ca-certificates.crt
if [ -z "${NODE_EXTRA_CA_CERTS:-}" ] && [ -r "$system_certificates" ]; then export NODE_EXTRA_CA_CERTS=$system_certificates; fi
