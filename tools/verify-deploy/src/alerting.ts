import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { json } from 'node:stream/consumers';
import { startOnFreePort } from '@smartlink/embedded/child';
import { freePort } from '@smartlink/embedded/ports';
import { createClosers } from '@smartlink/test-support/closers';
import { until } from '@smartlink/test-support/until';
import { findTool, reportProgress } from './tools.js';

const MONITORING = path.resolve(import.meta.dirname, '../../../deploy/monitoring');
/** TargetMissing waits two minutes; Alertmanager groups for ten seconds. */
const ARRIVAL_LIMIT_MS = 240_000;

/** Runs the shipped Prometheus and Alertmanager configurations, with no service to watch, until both routes have been used. */
export async function checkAlerting(): Promise<readonly string[]> {
  const [prometheus, alertmanager] = [findTool('prometheus'), findTool('alertmanager')];
  const closers = createClosers();
  const folder = mkdtempSync(path.join(tmpdir(), 'smartlink-alerting-'));
  closers.add(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  try {
    const receiver = await startReceiver(closers.add);
    const start = async (command: string, optionsFor: (port: number) => string) => {
      const name = path.basename(command);
      const { port } = await startOnFreePort(
        (own) => ({
          ...{ name, command, args: optionsFor(own).split(/\s+/), env: {}, cwd: folder },
          ...{ logFile: path.join(folder, `${name}.log`), stopSignal: 'SIGTERM', graceMs: 10_000 },
        }),
        async (own) => {
          if (!(await fetch(`http://127.0.0.1:${own}/-/ready`)).ok) throw new Error(`${name} is not ready`);
        },
        {
          onStart: (child) => {
            closers.add(() => child.stop());
          },
        },
      );
      return port;
    };
    writeAlertmanagerConfig(folder, receiver.port);
    const alertmanagerPort = await start(
      alertmanager,
      (port) => `--config.file=alertmanager.yml --storage.path=alertmanager --cluster.listen-address=
        --web.listen-address=127.0.0.1:${port}`,
    );
    cpSync(path.join(MONITORING, 'prometheus'), folder, { recursive: true });
    const config = readFileSync(path.join(folder, 'prometheus.yml'), 'utf8');
    const nowhere = await freePort();
    writeFileSync(
      path.join(folder, 'prometheus.yml'),
      config
        .replace('alertmanager:9093', `127.0.0.1:${alertmanagerPort}`)
        .replace('localhost:9090', `127.0.0.1:${nowhere}`),
    );
    await start(
      prometheus,
      (port) =>
        `--config.file=prometheus.yml --storage.tsdb.path=tsdb --web.listen-address=127.0.0.1:${port}`,
    );
    reportProgress('waiting for TargetMissing, which comes after two minutes');
    for (const expected of ['/watchdog Watchdog', '/alerts TargetMissing']) {
      await until(() => receiver.arrived.has(expected), `${expected} arrives`, ARRIVAL_LIMIT_MS);
    }
    const wrong = [...receiver.arrived].filter((each) => each === '/alerts Watchdog' || !each.includes(' '));
    return wrong.map((each) => `arrived where it should not: ${each}`);
  } finally {
    await closers.close();
  }
}

/** Names of alerts by the path on which they came. */
async function startReceiver(onClose: (close: () => unknown) => void) {
  const arrived = new Set<string>();
  const port = await freePort();
  const server = createServer((req, res) => {
    void json(req).then((body) => {
      for (const { labels } of (body as { alerts: { labels: { alertname: string } }[] }).alerts) {
        arrived.add(`${req.url ?? ''} ${labels.alertname}`);
      }
      res.end();
    });
  }).listen(port, '127.0.0.1');
  onClose(() => {
    server.closeAllConnections();
    server.close();
  });
  return { arrived, port };
}

/** The shipped file with its commented examples in force, and addresses of this machine. */
function writeAlertmanagerConfig(folder: string, port: number): void {
  const shipped = readFileSync(path.join(MONITORING, 'alertmanager.yml'), 'utf8');
  writeFileSync(path.join(folder, 'url'), `http://127.0.0.1:${port}/alerts\n`);
  const config = shipped
    .replace(/^( +)# ( *(?:- )?[a-z_]+:)/gm, '$1$2')
    .replace('/run/secrets/alert_webhook', path.join(folder, 'url'))
    .replace('mail.example.com:587', '127.0.0.1:9')
    .replace(/url: https:.*/, `url: http://127.0.0.1:${port}/watchdog`);
  writeFileSync(path.join(folder, 'alertmanager.yml'), config);
}
