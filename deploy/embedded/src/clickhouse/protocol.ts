/** What the parent sends the process of the embedded ClickHouse, once. Passwords stay out of argv and environment. */
export type GatewaySettings = {
  readonly dataDir: string;
  readonly password: string;
  readonly memoryBytesMax: number;
  /** Queries that run at once. */
  readonly concurrentMax: number;
};

/** What the process answers, once: its port, or one line that says why it has none. */
export type GatewayReport = { readonly port: number } | { readonly failure: string };
