import { useState } from 'react';
import { api } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/copy-button.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { ErrorNotice } from '../../ui/states.tsx';

const LIFETIMES = [
  { value: '', label: 'Never' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
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
export function KeyPanel({ madeKey, agent, onMade }: KeyPanelProps) {
  const [label, setLabel] = useState('MCP client');
  const [days, setDays] = useState<(typeof LIFETIMES)[number]['value']>('');
  const [bound, setBound] = useState<'all' | 'one'>('all');
  const make = api.useMutation('post', '/api/v1/portal/keys', { onSuccess: ({ key }) => onMade(key) });
  if (madeKey !== null) {
    return (
      <div className="stack tight" role="status">
        <p>This is shown once. It is in the setup below already.</p>
        <CodeBlock text={madeKey} label="API key" />
        <div className="row">
          <Button onClick={() => onMade(null)}>Make another key</Button>
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
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <div className="fields">
        <TextField
          label="Label"
          value={label}
          required
          maxLength={100}
          help="Where it is used: your name, a computer."
          onChange={(event) => setLabel(event.currentTarget.value)}
        />
        <SelectField label="Expires" value={days} options={LIFETIMES} onChoose={setDays} />
        {agent !== undefined && (
          <SelectField
            label="Reads"
            value={bound}
            options={[
              { value: 'all', label: 'All agents' },
              { value: 'one', label: `By default ${agent}` },
            ]}
            onChoose={setBound}
          />
        )}
      </div>
      {make.error && <ErrorNotice error={make.error} />}
      <div className="row">
        <Button type="submit" look="primary" disabled={make.isPending}>
          Make a read key
        </Button>
        <span className="muted small">It may ask for KPIs, tables, cards and documents, and change nothing.</span>
      </div>
    </form>
  );
}
