/** What the parent sends the process of the embedded ClickHouse, once. Passwords stay out of argv and environment. */
export type GatewaySettings = {
  readonly dataDir: string;
  readonly password: string;
  readonly memoryBytesMax: number;
  /** Queries that run at once. */
  readonly concurrentMax: number;
  /** More of the engine's own configuration, a file in XML: clusters of a trial, say. */
  readonly configFile?: string | undefined;
};

/** What the process answers, once: its port, or one line that says why it has none. */
export type GatewayReport = { readonly port: number } | { readonly failure: string };
