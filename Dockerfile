# The image of the service. `docker build -t care .`; what it holds is what `npm run image:tree` assembles.
ARG NODE=22

FROM node:${NODE}-bookworm-slim AS build
WORKDIR /source
COPY . .
RUN node scripts/image-tree.mjs /tree

FROM node:${NODE}-bookworm-slim
LABEL org.opencontainers.image.title="care-management service"
# Nothing here is written: DATA_DIR alone is a volume. 10001 is nobody else's number.
RUN groupadd --gid 10001 care \
  && useradd --uid 10001 --gid 10001 --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin care \
  && mkdir /data \
  && chown 10001:10001 /data
COPY --from=build /tree /app
WORKDIR /app
ENV HOST=0.0.0.0 PORT=3000 DATA_DIR=/data SEED=none
VOLUME /data
EXPOSE 3000
USER 10001:10001
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/healthz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "--max-semi-space-size=8"]
CMD ["dist-service/main.js"]
