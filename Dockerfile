# One image per app: docker build --build-arg APP=gateway -t podium-gateway .
# The operators' command line, with migrations and topics: docker build --target operator -t podium-operator .

# Sources and all packages: seeds and worlds of the local stack (docker-compose.yml).
FROM node:24-bookworm-slim AS sources
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
USER 1000:1000
ENTRYPOINT ["node", "-r", "@swc-node/register"]

# The sandbox is for development only and needs what production does not install.
FROM sources AS sandbox
USER root
RUN npx nest build sandbox
USER 1000:1000
ENTRYPOINT []
CMD ["node", "dist/apps/sandbox/main.js"]

FROM sources AS build-operator
USER root
RUN npx nest build operator && npm prune --omit=dev

FROM sources AS build
USER root
ARG APP
# The documentation site is part of the gateway alone; the others do not wait for it. Python packs the SDK for Python.
RUN npx nest build "$APP" \
  && if [ "$APP" = gateway ]; then \
    apt-get update && apt-get install -y --no-install-recommends python3 \
    && node -r @swc-node/register tools/stack/build-docs-site.ts; \
  fi \
  && npm prune --omit=dev

FROM node:24-bookworm-slim AS production
ENV NODE_ENV=production
WORKDIR /app
USER 1000:1000

FROM production AS operator
COPY --from=build-operator /app/node_modules ./node_modules
COPY --from=build-operator /app/package.json ./
COPY --from=build-operator /app/dist/apps/operator ./dist
COPY --chmod=755 apps/operator/podium /usr/local/bin/podium
ENTRYPOINT ["podium"]

FROM production
ARG APP
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/package.json ./
COPY --from=build /app/docs ./docs
COPY --from=build /app/dist/apps/$APP ./dist
EXPOSE 8080 9090
CMD ["node", "dist/main.js"]
