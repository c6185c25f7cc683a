import { useMutation } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { api, serverUrl } from '../../api/client.ts';
import { t } from '../../language/index.ts';
import { useAgent } from '../../shell/remembered.ts';
import { Button, classOf } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/copy-button.tsx';
import { Form, SelectField, TextField, typing } from '../../ui/field.tsx';
import { PageHead, Section } from '../../ui/page-head.tsx';
import { ErrorNotice } from '../../ui/states.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { useSetSearch } from '../../ui/use-set-search.ts';
import { CLIENTS, isClientName, setupOf } from './clients.ts';
import { listTools } from './test-connection.ts';

const route = getRouteApi('/shell/connect');
const NO_KEY = 'YOUR_KEY';

export function Connect() {
  const { client } = route.useSearch();
  const setSearch = useSetSearch();
  const agent = useAgent();
  const [key, setKey] = useState<string | null>(null);
  const chosen = isClientName(client) ? client : 'claude-code';
  const url = `${serverUrl}/mcp`;
  const { steps, code, link } = setupOf(chosen, { url, serverUrl, key: key ?? NO_KEY });

  return (
    <div className="stack narrow">
      <PageHead title={t('Connect')} />
      <p className="muted">
        {t(
          'Connect an MCP client, and ask your data in plain words: “How did the resolution rate change against last week, and why?”',
        )}
      </p>
      <Section id="login" title={t('By login')}>
        <LoginPanel url={url} />
      </Section>
      <h2>{t('With a key')}</h2>
      <section className="panel padded stack" aria-labelledby="key">
        <h3 id="key">{t('1. A key')}</h3>
        <KeyPanel madeKey={key} agent={agent} onMade={setKey} />
      </section>
      <section className="panel padded stack" aria-labelledby="client">
        <h3 id="client">{t('2. Your client')}</h3>
        <Tabs label={t('MCP clients')} value={chosen} tabs={CLIENTS} onChoose={(value) => setSearch({ client: value })}>
          <div className="stack">
            <ol className="numbered">
              {steps.map((step) => (
                <li key={step}>{step}</li>
              ))}
            </ol>
            <CodeBlock text={code} label={t('Setup')} />
            {link && key !== null && (
              <a className={classOf({})} href={link.href}>
                {link.label}
              </a>
            )}
          </div>
        </Tabs>
      </section>
      <section className="panel padded stack" aria-labelledby="test">
        <h3 id="test">{t('3. Does it work?')}</h3>
        <ConnectionTest url={url} apiKey={key} />
      </section>
    </div>
  );
}

/** Hosts that support OAuth need the address alone. */
function LoginPanel({ url }: { url: string }) {
  return (
    <>
      <p>
        {t(
          'Give this address to claude.ai, ChatGPT, Claude Code, VS Code, Cursor or another host as a remote MCP server. It opens a page of this server, on which you log in and decide what it may do.',
        )}
      </p>
      <CodeBlock text={url} label={t('Address')} />
      {isThisMachine() && (
        <p className="small muted">
          {t.nodes('Hosts on other computers and in the internet need an https address of this server: see {page}.', {
            page: <code>docs/login.md</code>,
          })}
        </p>
      )}
    </>
  );
}

function isThisMachine(): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(window.location.hostname);
}

const LIFETIMES = [
  { value: '', label: t('Never') },
  { value: '30', label: t('In 30 days') },
  { value: '90', label: t('In 90 days') },
  { value: '365', label: t('In a year') },
] as const;

const DAY_MS = 86_400_000;

interface KeyPanelProps {
  madeKey: string | null;
  /** The switcher's agent, to which the key can be bound. */
  agent: string | undefined;
  /** Called with null when the user wants another key. */
  onMade(key: string | null): void;
}

/** Creates a key that reads over MCP, and shows it once. */
function KeyPanel({ madeKey, agent, onMade }: KeyPanelProps) {
  const [label, setLabel] = useState(t('MCP client'));
  const [days, setDays] = useState<(typeof LIFETIMES)[number]['value']>('');
  const [bound, setBound] = useState<'all' | 'one'>('all');
  const make = api.useMutation('post', '/api/v1/portal/keys', { onSuccess: ({ key }) => onMade(key) });
  if (madeKey !== null) {
    return (
      <div className="stack tight" role="status">
        <p>{t('This is shown once. It is in the setup below already.')}</p>
        <CodeBlock text={madeKey} label={t('API key')} />
        <div className="row">
          <Button onClick={() => onMade(null)}>{t('Make another key')}</Button>
        </div>
      </div>
    );
  }
  const submit = () =>
    make.mutate({
      body: {
        label,
        scopes: ['mcp:read', 'knowledge:read'],
        agentId: bound === 'one' ? (agent ?? null) : null,
        expiresAt: days === '' ? null : new Date(Date.now() + Number(days) * DAY_MS).toISOString(),
      },
    });
  return (
    <Form noValidate={false} onSubmit={submit}>
      <div className="fields">
        <TextField
          label={t('Label')}
          {...typing(label, setLabel)}
          required
          maxLength={100}
          help={t('Where it is used: your name, a computer.')}
        />
        <SelectField label={t('Expires')} value={days} options={LIFETIMES} onChoose={setDays} />
        {agent !== undefined && (
          <SelectField
            label={t('Reads')}
            value={bound}
            options={[
              { value: 'all', label: t('All agents') },
              { value: 'one', label: t('By default {agent}', { agent }) },
            ]}
            onChoose={setBound}
          />
        )}
      </div>
      {make.error && <ErrorNotice error={make.error} />}
      <div className="row">
        <Button type="submit" look="primary" disabled={make.isPending}>
          {t('Make a read key')}
        </Button>
        <span className="muted small">
          {t('It may ask for KPIs, tables, cards and documents, and change nothing.')}
        </span>
      </div>
    </Form>
  );
}

/** Tests the MCP endpoint with the key, as the client will use it. */
function ConnectionTest({ url, apiKey }: { url: string; apiKey: string | null }) {
  const check = useMutation({ mutationFn: () => listTools(url, apiKey ?? '') });
  return (
    <div className="stack tight">
      <div className="row">
        <Button icon="plug" disabled={apiKey === null || check.isPending} onClick={() => check.mutate()}>
          {t('Test the connection')}
        </Button>
        {apiKey === null && <span className="muted small">{t('Make a key first.')}</span>}
      </div>
      <div role="status">
        {check.isPending && <p>{t('Asking for the tools …')}</p>}
        {check.data && (
          <p>
            <span className="up">{t('✓ Connected.')}</span>{' '}
            {t.count(check.data.length, 'This key has {count} tool: {tools}.', 'This key has {count} tools: {tools}.', {
              tools: check.data.join(', '),
            })}
          </p>
        )}
      </div>
      <div role="alert">
        {check.error && <p className="down">{t('Not connected: {message}', { message: check.error.message })}</p>}
      </div>
    </div>
  );
}
