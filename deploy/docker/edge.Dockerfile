# Caddy without root: the official image keeps its certificates in folders of root's, and gives its program the right to
# listen below 1024, without which a container that has dropped all capabilities could not even start it.
ARG CADDY_IMAGE=caddy:2.11.4-alpine
FROM ${CADDY_IMAGE}
LABEL org.opencontainers.image.title="Smartlink edge" \
      org.opencontainers.image.description="Caddy that runs as a user of its own, for deploy/compose.yaml" \
      org.opencontainers.image.licenses="Apache-2.0"
# A copy carries no file capabilities.
RUN cp /usr/bin/caddy /usr/bin/caddy.plain && mv /usr/bin/caddy.plain /usr/bin/caddy \
    && mkdir -p /data/caddy /config/caddy && chown -R 1000:1000 /data /config
USER 1000:1000
HEALTHCHECK --interval=10s --timeout=3s --start-period=15s --retries=3 \
  CMD ["wget", "-q", "-T", "2", "--spider", "http://127.0.0.1:8081/"]
CMD ["caddy", "run", "--config", "/etc/caddy/Caddyfile", "--adapter", "caddyfile"]
