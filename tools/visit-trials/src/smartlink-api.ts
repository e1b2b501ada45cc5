/** What this tool needs of the API's answers. */
export type Smartlink = {
  readonly id: string;
  readonly relink: string;
  readonly configuration: { readonly smartlinkName: string; readonly smartlinkUrl: string };
  readonly analytics: { readonly totalClicks: number; readonly totalQrCodeScans: number };
};

export type LinkAnalytics = {
  readonly totalClicks: number;
  readonly totalQrCodeScans: number;
  readonly excluded: Readonly<Record<string, number>>;
};

export type SmartlinkApi = {
  readonly create: (name: string, url: string) => Promise<Smartlink>;
  readonly list: () => Promise<readonly Smartlink[]>;
  readonly analytics: (id: string) => Promise<LinkAnalytics>;
  readonly remove: (id: string) => Promise<void>;
};

/** An answer of the API that was not the success it should have been. */
export class ApiFailure extends Error {
  readonly status: number;

  constructor(status: number, body: string) {
    super(`The API answered ${status}: ${body}`);
    this.name = 'ApiFailure';
    this.status = status;
  }
}

const REQUEST_TIMEOUT_MS = 30_000;

/** Returns the few calls that the trials make. A 429 is waited out as its Retry-After says; all else throws ApiFailure. */
export function createSmartlinkApi(managementUrl: string, apiKey: string): SmartlinkApi {
  async function call<Data>(method: string, path: string, body?: object): Promise<Data> {
    for (;;) {
      const response = await fetch(`${managementUrl}/api/v1${path}`, {
        method,
        headers: {
          authorization: `Bearer ${apiKey}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
      });
      const text = await response.text();
      if (response.status === 429) {
        await waitSeconds(Number(response.headers.get('retry-after') ?? '1'));
        continue;
      }
      if (!response.ok) throw new ApiFailure(response.status, text);
      return (JSON.parse(text) as { data: Data }).data;
    }
  }

  return {
    create: (name, url) =>
      call('POST', '/smartlink', {
        configuration: { smartlinkName: name, smartlinkType: 'Url' },
        shortener: { url },
      }),
    list: () => call('GET', '/smartlink'),
    analytics: (id) => call('GET', `/smartlink/analytics?id=${encodeURIComponent(id)}`),
    remove: (id) => call('DELETE', '/smartlink', { smartlinkId: id }),
  };
}

function waitSeconds(seconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.max(1, seconds) * 1000));
}
