/**
 * Concierge Graph over HTTP: LangGraph's Agent Protocol and `POST /chat`, for any domain.
 *
 * `openService` puts a domain, its database, notifications and queue together from a configuration;
 * `runServer` answers requests, `runWorker` runs the turns, in one process or in several. Below them
 * stand `createApp`, `startServer` and `startWorker`, for programs that put the parts together
 * themselves.
 */

// The whole service.
export { readConfig, type Config } from "../app/config.ts";
export { createLog, type ServiceLog } from "../app/log.ts";
export { openAssistant, type Assistant, type AssistantOptions } from "../app/open-assistant.ts";
export {
  openService,
  runServer,
  runWorker,
  type Running,
  type Service,
  type ServiceOptions,
  type ServiceParts,
} from "../app/open-server.ts";
export { createMetrics, type Metrics } from "../telemetry/metrics.ts";
export { createTracing, type Tracing } from "../telemetry/tracing.ts";

// Its parts.
export { createApp } from "../server/app.ts";
export { startServer, type ListenOptions, type RunningServer } from "../server/listen.ts";
export type {
  Authenticate,
  Caller,
  RouteParts,
  ServerLog,
  ServerMetrics,
  ServerParts,
} from "../server/parts.ts";
export {
  DEFAULT_SERVER_LIMITS,
  type AccessSettings,
  type ServerLimits,
  type ServerSettings,
} from "../server/settings.ts";
export { createAuthenticate } from "../server/access/authenticate.ts";
export { createKeyLookup } from "../server/access/key-lookup.ts";
export { startWorker, type Worker, type WorkerParts } from "../worker/worker.ts";
export { openNotifications, type Notifications } from "../storage/postgres/notifications.ts";
export { openJobQueue, type JobQueue } from "../storage/runs/jobs.ts";
export { createApiKey, listApiKeys, revokeApiKey, type ApiKey } from "../storage/users/api-keys.ts";
