const NEEDED: Readonly<Record<string, readonly string[] | undefined>> = {
  blocklist: ['SAFETY_BLOCKLIST_FILES'],
  'google-web-risk': ['SAFETY_API_KEY'],
  'google-safe-browsing': ['SAFETY_API_KEY'],
  http: ['SAFETY_HTTP_URL', 'SAFETY_HTTP_TOKEN'],
};

/** Returns the names of variables that the provider needs and that were not given. */
export function missingSafetyVariables(config: Readonly<Record<string, unknown>>): readonly string[] {
  const needed = NEEDED[String(config['SAFETY_PROVIDER'])] ?? [];
  return needed.filter((name) => {
    const value = config[name];
    return value === undefined || (Array.isArray(value) && value.length === 0);
  });
}
