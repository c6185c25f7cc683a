import { useQuery } from '@tanstack/react-query';
import { useParams, useSearch } from '@tanstack/react-router';
import { answerOf, client } from '../../../api/client.ts';
import { useKnownCards, useKnownTabs } from '../../../api/dashboards.ts';
import type { Schemas } from '../../../api/schemas.ts';
import { EditorPage } from '../../../editor/editor-page.tsx';
import { t } from '../../../language/index.ts';
import { SendingEditor } from '../../../sending/editor.tsx';
import { type Bound, bind } from '../../../ui/bind.ts';
import { IconButton } from '../../../ui/button.tsx';
import { SelectField, TextField } from '../../../ui/field.tsx';
import { Section } from '../../../ui/page-head.tsx';
import { DIGESTS, type Digest, digestQuery, invalidateDigests, MAX_CARDS } from '../digests.ts';
import { type DigestForm, emptyForm, formOf, requestOf, shownPaths } from './state.ts';

/** `tab` of the address: what is sent. */
export function NewDigest() {
  const { tab } = useSearch({ from: '/shell/digests/new-digest' });
  return (
    <EditorPage noun="digest" right="alerts:write">
      {() => <Editor key={tab} start={emptyForm(tab)} digest={null} />}
    </EditorPage>
  );
}

export function EditDigest() {
  const { id } = useParams({ from: '/shell/digests/$id/edit' });
  const query = useQuery({ ...digestQuery(id), refetchInterval: false });
  return (
    <EditorPage noun="digest" right="alerts:write" query={query}>
      {(stored) => stored && <Editor key={id} start={formOf(stored.digest)} digest={stored.digest} />}
    </EditorPage>
  );
}

/** `digest` is null for a new one. */
function Editor({ start, digest }: { start: DigestForm; digest: Digest | null }) {
  return (
    <SendingEditor
      noun="digest"
      stored={digest}
      start={start}
      requestOf={requestOf}
      pathsOf={shownPaths}
      create={(body) => answerOf(client.POST(DIGESTS, { body }))}
      change={(id, body) => answerOf(client.PATCH(`${DIGESTS}/{id}`, { params: { path: { id } }, body }))}
      invalidate={invalidateDigests}
      scheduled={t('When it is sent')}
      noTargets={t('No target yet.')}
    >
      {(part) => (
        <Section id="contents" title={t('What is sent')}>
          <TextField
            label={t('Title')}
            placeholder={t('Weekly numbers')}
            maxLength={200}
            {...bind(part).text('title')}
          />
          <ContentsFields {...part} />
        </Section>
      )}
    </SendingEditor>
  );
}

const KINDS = [
  { value: 'tab', label: t('A dashboard tab') },
  { value: 'cards', label: t('Chosen cards') },
] as const;

/** The choice between a dashboard tab and cards, and their fields. */
function ContentsFields({ form: { contents, tabId, cardIds }, messages, onChange }: Bound<DigestForm>) {
  const tabs = useKnownTabs() ?? [];
  const isKnown = tabs.some(({ id }) => id === tabId);
  return (
    <>
      <SelectField
        label={t('Contents')}
        value={contents}
        options={KINDS}
        onChoose={(chosen) => onChange({ contents: chosen })}
      />
      {contents === 'tab' ? (
        <SelectField<string>
          label={t('Dashboard tab')}
          help={t('Its first {count} cards are sent, as they are then.', { count: MAX_CARDS })}
          value={isKnown ? tabId : ''}
          options={[
            ...(isKnown ? [] : [{ value: '', label: t('Choose a dashboard tab') }]),
            ...tabs.map(({ id, name, agentId }) => ({ value: id, label: `${name} (${agentId})` })),
          ]}
          error={messages.at('tabId')}
          onChoose={(id) => onChange({ tabId: id })}
        />
      ) : (
        <CardRows cardIds={cardIds} error={messages.at('cardIds')} onChange={(ids) => onChange({ cardIds: ids })} />
      )}
    </>
  );
}

interface CardRowsProps {
  cardIds: readonly string[];
  error: string | undefined;
  onChange(cardIds: string[]): void;
}

/** The cards in their order, with an empty field for one more. */
function CardRows({ cardIds, error, onChange }: CardRowsProps) {
  const cards = useKnownCards() ?? [];
  const titleOf = (id: string) => cards.find((card) => card.id === id)?.title ?? t('A card that is not there any more');
  const shown = cardIds.length < MAX_CARDS ? [...cardIds, ''] : cardIds;
  const optionsAt = (id: string) => cards.filter((card) => card.id === id || !cardIds.includes(card.id));
  return (
    <div className="keys">
      {shown.map((id, index) => (
        <div key={id} className="filter-value">
          <SelectField<string>
            label={t('Card {number}', { number: index + 1 })}
            value={id}
            options={[
              ...(id === '' ? [{ value: '', label: index === 0 ? t('Choose a card') : t('Add another card') }] : []),
              ...(id !== '' && !cards.some((card) => card.id === id) ? [{ value: id, label: titleOf(id) }] : []),
              ...optionsAt(id).map(optionOf),
            ]}
            error={index === 0 ? error : undefined}
            onChoose={(chosen) => onChange(cardIds.toSpliced(index, 1, chosen))}
          />
          {id !== '' && (
            <IconButton
              icon="close"
              label={t('Remove {name}', { name: titleOf(id) })}
              onClick={() => onChange(cardIds.filter((one) => one !== id))}
            />
          )}
        </div>
      ))}
    </div>
  );
}

function optionOf({ id, title }: Schemas['Card']) {
  return { value: id, label: title };
}
