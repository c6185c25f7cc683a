export const NO_KEY = 'YOUR_KEY';

interface Address {
  url: string;
  key: string;
}

const EVENTS = '/api/v1/runtime/v1/observability/events';

export function curlOf({ url, key }: Address): string {
  return [
    `curl ${url}${EVENTS} \\`,
    `  -H "x-api-key: ${key}" -H "content-type: application/json" \\`,
    `  -d '{"events": [{"eventName": "order_paid", "properties": {"amount": 49.9, "plan": "pro"}}]}'`,
  ].join('\n');
}

export function typescriptOf({ url, key }: Address): string {
  return [
    `const response = await fetch('${url}${EVENTS}', {`,
    `  method: 'POST',`,
    `  headers: { 'x-api-key': '${key}', 'content-type': 'application/json' },`,
    '  body: JSON.stringify({',
    `    events: [{ eventName: 'order_paid', properties: { amount: 49.9, plan: 'pro' } }],`,
    '  }),',
    '});',
    'console.log(response.status, await response.json());',
  ].join('\n');
}
