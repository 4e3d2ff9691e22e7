export * from "./client.js";
export * from "./operations.js";
export * from "./types.js";
export * from "./webhooks.js";
