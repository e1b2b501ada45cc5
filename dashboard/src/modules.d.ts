declare module '*.module.css' {
  const classes: Readonly<Record<string, string>>;
  export default classes;
}

/** Made by vite.config.ts. */
declare module 'virtual:world-map' {
  const map: {
    readonly viewBox: string;
    /** Codes of ISO 3166 and SVG paths; a code is empty where a country has none. */
    readonly countries: readonly (readonly [code: string, path: string])[];
  };
  export default map;
}
