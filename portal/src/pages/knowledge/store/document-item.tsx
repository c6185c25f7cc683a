import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ChangeEvent, useRef } from 'react';
import { t } from '../../../language/index.ts';
import { bytesText } from '../../../transcript/figures.ts';
import { Actions, Item } from '../../../ui/item-list.tsx';
import { Time } from '../../../ui/time.tsx';
import { announce } from '../../../ui/toast.tsx';
import { limitsQuery, type StoredDocument } from '../knowledge.ts';
import { refusalsOf } from '../uploads/refusals.ts';
import { uploads } from '../uploads/send.ts';
import { chunksInWords } from '../words.ts';

interface DocumentItemProps {
  store: string;
  document: StoredDocument;
  reason: string | undefined;
  isChosen: boolean;
  onChoose(isChosen: boolean): void;
  onDelete(): void;
}

/** A document in the list: it opens, and a new version can take its place. */
export function DocumentItem({ store, document, reason, isChosen, onChoose, onDelete }: DocumentItemProps) {
  const { documentId, name, size, chunks, createdAt, metadata } = document;
  const { data: limits } = useQuery(limitsQuery);
  const input = useRef<HTMLInputElement>(null);
  const replace = (event: ChangeEvent<HTMLInputElement>) => {
    const [file] = event.currentTarget.files ?? [];
    if (!file) return;
    const [refusal] = refusalsOf([{ path: file.name, file }], limits);
    const fields = { replaces: documentId, metadata: JSON.stringify(metadata) };
    uploads.add([{ store, path: file.name, file, fields, refusal }]);
    event.currentTarget.value = '';
    announce(t('{name} stays until the new version can be found', { name }));
  };
  return (
    <Item
      title={
        <span className="check">
          {reason === undefined && (
            <input
              type="checkbox"
              aria-label={t('Choose {name}', { name })}
              checked={isChosen}
              onChange={(event) => onChoose(event.currentTarget.checked)}
            />
          )}
          <Link
            to="."
            search={(before) => ({ ...before, document: documentId, passage: undefined })}
            resetScroll={false}
            preload={false}
          >
            {name}
          </Link>
        </span>
      }
      end={
        <>
          <Actions
            actions={[
              {
                ...{ label: t('Replace …'), name: t('Replace {name}', { name }), reason },
                onClick: () => input.current?.click(),
              },
              { label: t('Delete …'), name: t('Delete {name}', { name }), reason, onClick: onDelete },
            ]}
          />
          <input
            ref={input}
            type="file"
            hidden
            aria-label={t('The new version of {name}', { name })}
            onChange={replace}
          />
        </>
      }
    >
      <p className="small muted">
        {[bytesText(size), chunksInWords(chunks)].join(' · ')} ·{' '}
        {t.nodes('added {time}', { time: <Time iso={createdAt} /> })}
      </p>
    </Item>
  );
}
