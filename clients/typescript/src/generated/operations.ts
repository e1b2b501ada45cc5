// Made of docs/openapi.json by `npm run docs:client`. Edits are lost.

/** Method and path of every operation, and whether it takes an Idempotency-Key. */
export const OPERATIONS = {
  validateKey: { method: 'GET', path: '/api/v1/validate', takesIdempotencyKey: false },
  createSmartlink: { method: 'POST', path: '/api/v1/smartlink', takesIdempotencyKey: true },
  readSmartlinks: { method: 'GET', path: '/api/v1/smartlink', takesIdempotencyKey: false },
  updateSmartlink: { method: 'PATCH', path: '/api/v1/smartlink', takesIdempotencyKey: false },
  deleteSmartlink: { method: 'DELETE', path: '/api/v1/smartlink', takesIdempotencyKey: false },
  setSmartlinkStatus: { method: 'POST', path: '/api/v1/smartlink/status', takesIdempotencyKey: false },
  bulkSmartlinks: { method: 'POST', path: '/api/v1/smartlink/bulk', takesIdempotencyKey: true },
  readAnalytics: { method: 'GET', path: '/api/v1/smartlink/analytics', takesIdempotencyKey: false },
  readSummary: { method: 'GET', path: '/api/v1/analytics/summary', takesIdempotencyKey: false },
  drawQrCode: { method: 'GET', path: '/api/v1/smartlink/qr', takesIdempotencyKey: false },
  resolveVisit: { method: 'GET', path: '/api/v1/smartlink/resolve', takesIdempotencyKey: false },
  listWebhooks: { method: 'GET', path: '/api/v1/webhooks', takesIdempotencyKey: false },
  createWebhook: { method: 'POST', path: '/api/v1/webhooks', takesIdempotencyKey: false },
  updateWebhook: { method: 'PATCH', path: '/api/v1/webhooks', takesIdempotencyKey: false },
  deleteWebhook: { method: 'DELETE', path: '/api/v1/webhooks', takesIdempotencyKey: false },
  rotateWebhookSecret: { method: 'POST', path: '/api/v1/webhooks/rotate-secret', takesIdempotencyKey: false },
  testWebhook: { method: 'POST', path: '/api/v1/webhooks/test', takesIdempotencyKey: false },
  listWebhookDeliveries: { method: 'GET', path: '/api/v1/webhooks/deliveries', takesIdempotencyKey: false },
  redeliverWebhook: { method: 'POST', path: '/api/v1/webhooks/redeliver', takesIdempotencyKey: false },
  readReference: { method: 'GET', path: '/api/v1/openapi.json', takesIdempotencyKey: false },
} as const;

/** Every code that a failure may have, and whether it lists faults. */
export const ERRORS = {
  UNAUTHORIZED: { hasDetails: false },
  NOT_FOUND: { hasDetails: false },
  METHOD_NOT_ALLOWED: { hasDetails: false },
  IDEMPOTENCY_KEY_REUSED: { hasDetails: false },
  PRECONDITION_FAILED: { hasDetails: false },
  PAYLOAD_TOO_LARGE: { hasDetails: false },
  UNSUPPORTED_MEDIA_TYPE: { hasDetails: false },
  RATE_LIMITED: { hasDetails: false },
  INTERNAL_ERROR: { hasDetails: false },
  SERVICE_UNAVAILABLE: { hasDetails: false },
  VALIDATION_FAILED: { hasDetails: true },
  SUBSCRIPTION_LIMIT_REACHED: { hasDetails: false },
  FORBIDDEN: { hasDetails: true },
  SMARTLINK_URL_TAKEN: { hasDetails: true },
  NAME_TAKEN: { hasDetails: true },
  UNSAFE_URL: { hasDetails: true },
  PLAN_RESTRICTED: { hasDetails: false },
  CONFIRMATION_REQUIRED: { hasDetails: false },
} as const;
