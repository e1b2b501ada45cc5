// The programs that we run need these: where things are, how the terminal speaks, and how a registry is reached.
const KEPT = [
  /^(path|home|user|logname|shell|term|tmpdir|tz|lang|lc_\w+|xdg_\w+|ci|no_color|force_color|debian_frontend)$/i,
  /^(https?|all|no)_proxy$/i,
  /^(ssl_cert_(file|dir)|node_extra_ca_certs|curl_ca_bundle|requests_ca_bundle)$/i,
  /^(npm_execpath|npm_config_.+|pip_.+|go[a-z0-9]+)$/i,
];

/**
 * Returns of an environment what checks may see. All else stays out, above all what the person at the terminal has exported
 * for Smartlink: a check that read a DATABASE_URL of theirs would work on that database.
 */
export function keptVariables(env: Readonly<NodeJS.ProcessEnv>): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => KEPT.some((kept) => kept.test(name))));
}
