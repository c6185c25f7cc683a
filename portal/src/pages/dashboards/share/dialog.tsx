import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { LOCALE, t } from '../../../language/index.ts';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog, Dialog } from '../../../ui/dialog.tsx';
import { Form, SelectField } from '../../../ui/field.tsx';
import { Actions, Badge, Item, ItemList } from '../../../ui/item-list.tsx';
import { useTask } from '../../../ui/refusal.tsx';
import { ErrorNotice, QueryFault } from '../../../ui/states.tsx';
import { Time } from '../../../ui/time.tsx';
import { announce } from '../../../ui/toast.tsx';
import type { Tab } from '../changes.ts';
import { type Link, linksChanged, linksQuery, makeLink, revokeLink } from './links.ts';
import { MadeLink } from './made-link.tsx';
import { expiryOf, LIFETIMES, type Lifetime } from './state.ts';

interface ShareDialogProps {
  tab: Tab;
  onClose(): void;
}

/** The secret links of a tab: makes, lists and revokes them. */
export default function ShareDialog({ tab, onClose }: ShareDialogProps) {
  const query = useQuery(linksQuery(tab.id));
  const [made, setMade] = useState<{ url: string; expiresAt: string | null } | null>(null);
  const [revoked, setRevoked] = useState<Link | null>(null);
  const { links = [], frameOrigins = [] } = query.data ?? {};
  if (made) {
    return <MadeLink name={tab.name} made={made} frameOrigins={frameOrigins} onClose={() => setMade(null)} />;
  }
  if (revoked) return <RevokeDialog tab={tab} link={revoked} onClose={() => setRevoked(null)} />;
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('Share {name}', { name: tab.name })}
      description={t('Whoever has the link sees what this dashboard shows, without a login, and nothing else.')}
    >
      <MakeLink tab={tab} onMade={setMade} />
      <QueryFault query={query} />
      {links.length > 0 && (
        <ItemList label={t('Links, newest first')}>
          {links.map((link) => (
            <LinkItem key={link.id} link={link} onRevoke={() => setRevoked(link)} />
          ))}
        </ItemList>
      )}
      <div className="dialog-foot">
        <Button onClick={onClose}>{t('Close')}</Button>
      </div>
    </Dialog>
  );
}

const LABELS: Record<Lifetime, string> = {
  7: t('In 7 days'),
  30: t('In 30 days'),
  90: t('In 90 days'),
  never: t('Never'),
};

interface MakeLinkProps {
  tab: Tab;
  onMade(made: { url: string; expiresAt: string | null }): void;
}

function MakeLink({ tab, onMade }: MakeLinkProps) {
  const [lifetime, setLifetime] = useState<Lifetime>('30');
  const { error, isBusy, run } = useTask();
  const make = async () => {
    onMade(await makeLink(tab.id, expiryOf(lifetime, Date.now())));
    await linksChanged();
  };
  return (
    <Form aria-label={t('New link')} onSubmit={() => void run(make)}>
      <SelectField
        label={t('Expires')}
        value={lifetime}
        options={LIFETIMES.map((value) => ({ value, label: LABELS[value] }))}
        onChoose={setLifetime}
      />
      {lifetime === 'never' && (
        <p className="notice warning">{t('It works until somebody revokes it, wherever it gets to.')}</p>
      )}
      {error !== null && <ErrorNotice error={error} />}
      <div className="row">
        <Button type="submit" look="primary" icon="add" disabled={isBusy}>
          {t('Make a link')}
        </Button>
      </div>
    </Form>
  );
}

function LinkItem({ link, onRevoke }: { link: Link; onRevoke(): void }) {
  const { createdBy, createdAt, expiresAt, lastUsedAt, valid } = link;
  return (
    <Item
      title={t.nodes('Made {time}|a link', { time: <Time iso={createdAt} /> })}
      beside={!valid && <Badge tone="bad">{t('Opens nothing')}</Badge>}
      end={<Actions actions={[{ label: t('Revoke …'), name: revokeName(link), onClick: onRevoke }]} />}
    >
      <p className="small">{t('by {maker}', { maker: createdBy })}</p>
      <p className="small muted">
        {expiresAt === null ? t('never expires') : t.nodes('expires {time}', { time: <Time iso={expiresAt} /> })} ·{' '}
        {lastUsedAt === null
          ? t('not used yet')
          : t.nodes('last used {time}|a link', { time: <Time iso={lastUsedAt} /> })}
      </p>
    </Item>
  );
}

function revokeName({ createdAt }: Link): string {
  const time = new Date(createdAt).toLocaleString(LOCALE, { dateStyle: 'medium', timeStyle: 'medium' });
  return t('Revoke the link made {time}', { time });
}

function RevokeDialog({ tab, link, onClose }: { tab: Tab; link: Link; onClose(): void }) {
  const revoke = async () => {
    await revokeLink(tab.id, link.id);
    await linksChanged();
    announce(t('The link was revoked'));
  };
  return (
    <ConfirmDialog
      title={t('Revoke this link?')}
      description={t('It opens nothing from now on. Pages that show it say so within a minute.')}
      act={t('Revoke|a link')}
      onAct={revoke}
      onClose={onClose}
    />
  );
}
