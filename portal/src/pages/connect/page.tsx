import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { basePath } from '../../api/client.ts';
import { useAgent } from '../../shell/remembered.ts';
import { classOf } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/copy-button.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { useSetSearch } from '../../ui/use-set-search.ts';
import { CLIENTS, isClientName, setupOf } from './clients.ts';
import { ConnectionTest, KeyPanel, LoginPanel } from './panels.tsx';

const route = getRouteApi('/shell/connect');
const NO_KEY = 'YOUR_KEY';

export function Connect() {
  const { client } = route.useSearch();
  const setSearch = useSetSearch();
  const agent = useAgent();
  const [key, setKey] = useState<string | null>(null);
  const chosen = isClientName(client) ? client : 'claude-code';
  const serverUrl = (window.location.origin + basePath).replace(/\/$/, '');
  const url = `${serverUrl}/mcp`;
  const { steps, code, link } = setupOf(chosen, { url, serverUrl, key: key ?? NO_KEY });

  return (
    <div className="stack narrow">
      <PageHead title="Connect" />
      <p className="muted">
        Connect an MCP client, and ask your data in plain words: “How did the resolution rate change against last week,
        and why?”
      </p>
      <section className="panel padded stack" aria-labelledby="login">
        <h2 id="login">By login</h2>
        <LoginPanel url={url} />
      </section>
      <h2>With a key</h2>
      <section className="panel padded stack" aria-labelledby="key">
        <h3 id="key">1. A key</h3>
        <KeyPanel madeKey={key} agent={agent} onMade={setKey} />
      </section>
      <section className="panel padded stack" aria-labelledby="client">
        <h3 id="client">2. Your client</h3>
        <Tabs label="MCP clients" value={chosen} tabs={CLIENTS} onChoose={(value) => setSearch({ client: value })}>
          <div className="stack">
            <ol className="numbered">
              {steps.map((step) => (
                <li key={step}>{step}</li>
              ))}
            </ol>
            <CodeBlock text={code} label="Setup" />
            {link && key !== null && (
              <a className={classOf({})} href={link.href}>
                {link.label}
              </a>
            )}
          </div>
        </Tabs>
      </section>
      <section className="panel padded stack" aria-labelledby="test">
        <h3 id="test">3. Does it work?</h3>
        <ConnectionTest url={url} apiKey={key} />
      </section>
    </div>
  );
}
