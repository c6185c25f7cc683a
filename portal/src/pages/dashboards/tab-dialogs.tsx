import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { api } from '../../api/client.ts';
import { messageOf } from '../../api/errors.ts';
import { t } from '../../language/index.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog, Dialog } from '../../ui/dialog.tsx';
import { Form, SelectField, TextField, typing } from '../../ui/field.tsx';
import { useTask } from '../../ui/refusal.tsx';
import { announce } from '../../ui/toast.tsx';
import { type Tab, useChanges } from './changes.ts';

export type TabDialogName = 'new' | 'rename' | 'delete';

const MAX_NAME = 100;
const MAX_AGENTS = 100;

interface TabDialogProps {
  name: TabDialogName;
  /** The chosen tab. */
  tab: Tab | undefined;
  /** The number of its cards. */
  cards: number;
  /** The agent of a new tab; undefined: the user chooses it. */
  agent: string | undefined;
  /** `id`: the tab to show. */
  onDone(id: string): Promise<void>;
  onClose(): void;
}

export default function TabDialog({ name, tab, cards, agent, onDone, onClose }: TabDialogProps) {
  if (name === 'new') return <NewTab agent={agent} tab={tab} onDone={onDone} onClose={onClose} />;
  if (!tab) return null;
  if (name === 'rename') return <RenameTab tab={tab} onClose={onClose} />;
  return <DeleteTab tab={tab} cards={cards} onClose={onClose} />;
}

function NewTab({ agent, tab, onDone, onClose }: Pick<TabDialogProps, 'agent' | 'tab' | 'onDone' | 'onClose'>) {
  const { makeTab } = useChanges();
  const query = { params: { query: { limit: MAX_AGENTS } } };
  const { data } = api.useQuery('get', '/api/v1/portal/agents', query, { enabled: agent === undefined });
  const agents = data?.agents.map((one) => one.name) ?? [];
  const [chosen, setChosen] = useState<string | undefined>();
  const agentId = agent ?? chosen ?? tab?.agentId ?? agents[0];
  const make = async (name: string) => {
    const { id, created } = await makeTab({ name, ...(agentId === undefined ? {} : { agentId }) });
    announce(created ? t('Tab created') : t('This tab exists already'));
    await onDone(id);
  };
  return (
    <NameDialog title={t('New tab')} act={t('Create')} onSubmit={make} onClose={onClose}>
      {agent === undefined && agents.length > 1 && (
        <SelectField
          label={t('Agent')}
          help={t('A tab holds cards of one agent.')}
          value={agentId ?? ''}
          options={agents.map((value) => ({ value, label: value }))}
          onChoose={setChosen}
        />
      )}
    </NameDialog>
  );
}

function RenameTab({ tab, onClose }: { tab: Tab; onClose(): void }) {
  const { changeTabs } = useChanges();
  const rename = async (name: string) => {
    await changeTabs([{ id: tab.id, name }]);
    announce(t('Tab renamed'));
  };
  return (
    <NameDialog title={t('Rename the tab')} act={t('Rename')} name={tab.name} onSubmit={rename} onClose={onClose} />
  );
}

function DeleteTab({ tab, cards, onClose }: { tab: Tab; cards: number; onClose(): void }) {
  const { deleteTab } = useChanges();
  const navigate = useNavigate();
  const remove = async () => {
    await deleteTab(tab.id);
    await navigate({ to: '.', search: (before) => ({ ...before, tab: undefined }), replace: true });
    announce(t('Tab deleted'));
  };
  const fate =
    cards === 0
      ? t('It holds no cards.')
      : t.count(cards, 'Its card is kept, without a tab.', 'Its {count} cards are kept, without a tab.');
  return (
    <ConfirmDialog
      title={t('Delete the tab?')}
      description={`${t('This deletes “{name}”.', { name: tab.name })} ${fate}`}
      act={t('Delete')}
      onAct={remove}
      onClose={onClose}
      focusAfter={chosenTab}
    />
  );
}

interface NameDialogProps {
  title: string;
  act: string;
  name?: string;
  onSubmit(name: string): Promise<void>;
  onClose(): void;
  children?: ReactNode;
}

/** Messages of the server appear at the field. */
function NameDialog({ title, act, name = '', onSubmit, onClose, children }: NameDialogProps) {
  const [text, setText] = useState(name);
  const { error, isBusy, run } = useTask();
  return (
    <Dialog open onClose={onClose} title={title} focusAfter={chosenTab}>
      <Form noValidate={false} onSubmit={() => void run(() => onSubmit(text).then(onClose))}>
        {children}
        <TextField
          label={t('Name')}
          {...typing(text, setText)}
          maxLength={MAX_NAME}
          required
          autoFocus
          error={error === null ? undefined : messageOf(error)}
        />
        <div className="dialog-foot">
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button type="submit" look="primary" disabled={isBusy}>
            {act}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}

/** The button that opened the dialog may be another one now. */
function chosenTab(): HTMLElement | null {
  return document.querySelector('[role="tab"][aria-selected="true"]');
}
