# One image per app: docker build --build-arg APP=gateway -t podium-gateway .
# The target `tools` holds the commands of a release: migrate, topics, the operator command line.

FROM node:24-bookworm-slim AS tools
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
USER 1000:1000
ENTRYPOINT ["node", "-r", "@swc-node/register"]

# The sandbox is for development only and needs what production does not install.
FROM tools AS tools-app
USER root
ARG APP
ENV APP=$APP
RUN npx nest build "$APP"
USER 1000:1000
ENTRYPOINT []
CMD ["sh", "-c", "exec node dist/apps/$APP/main.js"]

FROM tools AS build
USER root
ARG APP
RUN npx nest build "$APP" && npm prune --omit=dev

FROM node:24-bookworm-slim
ARG APP
ENV NODE_ENV=production
WORKDIR /app
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/package.json ./
COPY --from=build /app/docs ./docs
COPY --from=build /app/dist/apps/$APP ./dist
USER 1000:1000
EXPOSE 8080 9090
CMD ["node", "dist/main.js"]
