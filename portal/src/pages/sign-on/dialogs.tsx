import { useQuery } from '@tanstack/react-query';
import { answerOf, client } from '../../api/client.ts';
import { invalidate } from '../../api/session.ts';
import { ActDialog, Dialog } from '../../ui/dialog.tsx';
import { Badge } from '../../ui/item-list.tsx';
import { QueryState } from '../../ui/states.tsx';
import { ProviderDialog } from './provider-dialog.tsx';
import { PROVIDERS, type Provider, type ProviderChange } from './providers.ts';

interface ChangeDialogProps {
  change: ProviderChange;
  onClose(): void;
}

export default function ChangeDialog({ change, onClose }: ChangeDialogProps) {
  if (change.kind === 'add') return <ProviderDialog provider={null} onClose={onClose} />;
  if (change.kind === 'edit') return <ProviderDialog provider={change.provider} onClose={onClose} />;
  if (change.kind === 'test') return <TestDialog provider={change.provider} onClose={onClose} />;
  return <DeleteProvider provider={change.provider} onClose={onClose} />;
}

const TONES = { ok: 'good', unknown: 'warning', failed: 'bad' } as const;
const WORDS = { ok: 'Good', unknown: 'Unknown', failed: 'Failed' } as const;

function TestDialog({ provider: { id, name }, onClose }: { provider: Provider; onClose(): void }) {
  const query = useQuery({
    queryKey: ['post', `${PROVIDERS}/test`, id],
    queryFn: () => answerOf(client.POST(`${PROVIDERS}/{id}/test`, { params: { path: { id } }, body: {} })),
    staleTime: 0,
    gcTime: 0,
  });
  const { data } = query;
  return (
    <Dialog open onClose={onClose} title={`Test of ${name}`} description="What the provider answers just now.">
      <QueryState query={query} what="the answers of the provider" height={160} />
      {data && (
        <ul className="stack" aria-label="Checks">
          {data.checks.map(({ check, outcome, message }) => (
            <li key={check} className="stack tight">
              <span>
                <Badge tone={TONES[outcome]}>{WORDS[outcome]}</Badge> {message}
              </span>
            </li>
          ))}
        </ul>
      )}
      {data?.works && <p className="muted">Now log in with it in a private window: only that tries all of it.</p>}
    </Dialog>
  );
}

function DeleteProvider({ provider: { id, name }, onClose }: { provider: Provider; onClose(): void }) {
  return (
    <ActDialog
      title={`Delete ${name}?`}
      description="Nobody can log in with it any more. Users stay, and so do their sessions until they end."
      act="Delete"
      onAct={() => answerOf(client.DELETE(`${PROVIDERS}/{id}`, { params: { path: { id } } }))}
      invalidate={() => invalidate((path) => path === PROVIDERS)}
      done="The identity provider was deleted"
      onClose={onClose}
    />
  );
}
