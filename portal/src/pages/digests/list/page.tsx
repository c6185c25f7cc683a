import { useQuery } from '@tanstack/react-query';
import { t } from '../../../language/index.ts';
import { Schedule } from '../../../sending/shown.tsx';
import { forReaders } from '../../../shell/readers-page.tsx';
import { Badge, Item, ItemLink, ItemList } from '../../../ui/item-list.tsx';
import { ListPage } from '../../../ui/list-page.tsx';
import { When } from '../../../ui/time.tsx';
import { Contents } from '../contents.tsx';
import { type Digest, digestsQuery } from '../digests.ts';

/** All digests, newest first. */
export const Digests = forReaders(t('Digests'), 'digests', 'alerts:read', DigestList);

function DigestList() {
  return (
    <ListPage
      title={t('Digests')}
      noun="digest"
      query={useQuery(digestsQuery())}
      right="alerts:write"
      add="/digests/new-digest"
      intro={t('Cards of a dashboard, sent on a schedule with what changed since the last time.')}
      purpose={t(
        'A digest brings the numbers of a dashboard to people who do not open it: by e-mail, Slack or webhook.',
      )}
    >
      {({ digests }) => (
        <ItemList label={t('Digests')}>
          {digests.map((digest) => (
            <DigestItem key={digest.id} digest={digest} />
          ))}
        </ItemList>
      )}
    </ListPage>
  );
}

function DigestItem({ digest }: { digest: Digest }) {
  const { id, title, every, timezone, enabled, disabledReason, lastSent, nextAt } = digest;
  return (
    <Item
      title={
        <ItemLink to="/digests/$id" params={{ id }}>
          {title}
        </ItemLink>
      }
      beside={!enabled && <Badge tone="muted">{t('Switched off')}</Badge>}
    >
      <p>
        <Contents digest={digest} isLinked={false} />
      </p>
      {disabledReason !== undefined && <p>{disabledReason}</p>}
      {lastSent?.error != null && <p className="bad-text">{lastSent.error}</p>}
      <p className="small muted">
        <Schedule every={every} timezone={timezone} />
        <When lead=" · " text="last sent {time}" iso={lastSent?.at} />
        <When lead=" · " text="next {time}" iso={nextAt} />
      </p>
    </Item>
  );
}
