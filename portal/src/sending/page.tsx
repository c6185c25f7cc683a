import { Link } from '@tanstack/react-router';
import { type ComponentType, type ReactNode, useState } from 'react';
import { messageOf } from '../api/errors.ts';
import type { Schemas } from '../api/schemas.ts';
import { useSession } from '../api/session.ts';
import { t } from '../language/index.ts';
import { heldTo } from '../limits/words.ts';
import { Button, ButtonLink } from '../ui/button.tsx';
import { NOUNS } from '../ui/nouns.ts';
import { PageHead } from '../ui/page-head.tsx';
import { announce } from '../ui/toast.tsx';
import { UnreadPage } from '../ui/unread-page.tsx';
import { SENDING_TEXTS, type SendingNoun } from './words.ts';

type Sending = Pick<Schemas['Alert'], 'id' | 'title' | 'enabled' | 'limits'>;

export interface SendingDialogProps<Stored> {
  name: 'send' | 'delete';
  stored: Stored;
  onClose(): void;
}

interface SendingPageProps<Stored extends Sending> {
  noun: SendingNoun;
  query: { data: unknown; error: unknown; refetch(): unknown };
  /** Undefined until the query has an answer. */
  stored: Stored | undefined;
  /** The label of the button that sends immediately. */
  sendLabel: string;
  onSwitch(id: string, enabled: boolean): Promise<{ error?: unknown }>;
  invalidate(): Promise<void>;
  Dialog: ComponentType<SendingDialogProps<Stored>>;
  children(stored: Stored): ReactNode;
}

/** The page of an alert or a digest, with the buttons that change it and their dialogs. */
export function SendingPage<Stored extends Sending>({ stored, ...props }: SendingPageProps<Stored>) {
  const { noun, query } = props;
  if (stored) return <Shown key={stored.id} {...props} stored={stored} />;
  return (
    <UnreadPage title={SENDING_TEXTS[noun].title} missing={NOUNS[noun].missing} query={query}>
      <Link to={`/${noun}s`}>{NOUNS[noun].all}</Link>
    </UnreadPage>
  );
}

function Shown<Stored extends Sending>(props: SendingPageProps<Stored> & { stored: Stored }) {
  const { noun, stored, sendLabel, onSwitch, invalidate, Dialog, children } = props;
  const { id, title, enabled, limits } = stored;
  const { can } = useSession();
  const [isBusy, setBusy] = useState(false);
  const [dialog, setDialog] = useState<SendingDialogProps<Stored>['name'] | null>(null);
  const switchTo = async (next: boolean) => {
    setBusy(true);
    const { error } = await onSwitch(id, next);
    await invalidate();
    setBusy(false);
    const { switchedOn, switchedOff } = SENDING_TEXTS[noun];
    announce(error ? messageOf(error) : next ? switchedOn : switchedOff);
  };
  return (
    <>
      <PageHead title={title}>
        {can('alerts:write') && (
          <div className="row">
            <Button icon="play" onClick={() => setDialog('send')}>
              {sendLabel}
            </Button>
            <Button disabled={isBusy} onClick={() => void switchTo(!enabled)}>
              {enabled ? t('Switch off') : t('Switch on')}
            </Button>
            <ButtonLink icon="edit" to={`/${noun}s/$id/edit`} params={{ id }}>
              {t('Edit')}
            </ButtonLink>
            <Button look="danger" onClick={() => setDialog('delete')}>
              {t('Delete')}
            </Button>
          </div>
        )}
      </PageHead>
      <div className="stack">
        {limits && <p className="muted">{heldTo(limits, 'thing')}</p>}
        {children(stored)}
      </div>
      {dialog && <Dialog name={dialog} stored={stored} onClose={() => setDialog(null)} />}
    </>
  );
}
