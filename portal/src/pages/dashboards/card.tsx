import { useQuery } from '@tanstack/react-query';
import { type NavigateOptions, useNavigate } from '@tanstack/react-router';
import { type CSSProperties, useEffect, useId, useRef, useState } from 'react';
import { answerOf, client } from '../../api/client.ts';
import { CARDS } from '../../api/dashboards.ts';
import { messageOf } from '../../api/errors.ts';
import { useSession } from '../../api/session.ts';
import { LOCALE, t } from '../../language/index.ts';
import { explainQuestion } from '../../question/state/explain.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { download } from '../../ui/download.ts';
import { lazyDialog } from '../../ui/lazy-dialog.tsx';
import { Menu, type MenuItem } from '../../ui/menu.tsx';
import { announce } from '../../ui/toast.tsx';
import { canAlert } from '../alerts/card.ts';
import { CardBody, CardFoot } from './card-content.tsx';
import type { CardDialogName } from './card-dialogs.tsx';
import type { Card, Tab } from './changes.ts';
import type { PageRange } from './page-range.ts';
import { renderedCard } from './render.ts';
import { fileNameOf, questionForMcp } from './state.ts';
import { type Arranger, handleId } from './use-arranging.ts';

const CardDialog = lazyDialog(() => import('./card-dialogs.tsx'));

interface DashboardCardProps {
  card: Card;
  tabs: readonly Tab[];
  range: PageRange;
  mayChange: boolean;
  /** Who changed it last, and why, if that was an agent. */
  mark: string | undefined;
  onMark(): void;
  arranger: Arranger;
  style: CSSProperties;
}

export function DashboardCard(props: DashboardCardProps) {
  const { card, tabs, range, mayChange, mark, onMark, arranger, style } = props;
  const { id, title } = card;
  const query = useQuery(renderedCard(id, range));
  const [isTable, setTable] = useState(false);
  const [dialog, setDialog] = useState<CardDialogName | null>(null);
  const navigate = useNavigate();
  const { can } = useSession();
  const headingId = useId();
  const arranging = arranger.arranging?.id === id ? arranger.arranging : null;

  const copyQuestion = async () => {
    try {
      await navigator.clipboard.writeText(questionForMcp(card));
      announce(t('Question copied'));
    } catch {
      setDialog('question');
    }
  };

  const question = explainQuestion(card, range);
  const { cases } = query.data?.basis ?? {};
  const go = (place: NavigateOptions) => () => void navigate(place);
  const items: (MenuItem | false)[] = [
    mayChange && { label: t('Edit'), icon: 'edit', onChoose: go({ to: '/cards/$id', params: { id } }) },
    { label: isTable ? t('Show as chart') : t('Show as table'), icon: 'table', onChoose: () => setTable(!isTable) },
    { label: t('Full screen'), icon: 'full', onChoose: () => setDialog('full') },
    { label: t('Refresh'), icon: 'refresh', onChoose: () => void query.refetch() },
    question !== null && {
      label: t('Explain the change'),
      icon: 'search',
      onChoose: go({ to: '/explain', search: { agent: card.agentId, question: JSON.stringify(question) } }),
    },
    cases !== undefined &&
      can('events:read') && {
        label: t('Show the events'),
        icon: 'events',
        onChoose: go({ to: '/cases/$handle', params: { handle: cases } }),
      },
    can('alerts:write') &&
      canAlert(card) && {
        label: t('Alert on this card'),
        icon: 'bell',
        onChoose: go({ to: '/alerts/new-alert', search: { cardId: id } }),
      },
    { label: t('Copy as picture'), icon: 'image', begins: true, onChoose: () => void copyPicture(card, range) },
    { label: t('Download PNG'), icon: 'download', onChoose: () => void downloadPicture(card, range, 'png') },
    { label: t('Download SVG'), icon: 'download', onChoose: () => void downloadPicture(card, range, 'svg') },
    { label: t('Copy question for MCP'), icon: 'copy', onChoose: () => void copyQuestion() },
    mayChange && { label: t('Move'), icon: 'move', begins: true, onChoose: () => arranger.start('move', id) },
    mayChange && { label: t('Resize'), icon: 'resize', onChoose: () => arranger.start('resize', id) },
    mayChange && { label: t('Move to tab …'), icon: 'right', onChoose: () => setDialog('tab') },
    mayChange && {
      label: t('Duplicate'),
      icon: 'add',
      onChoose: go({ to: '/cards/new', search: { copy: id, tab: card.tabId ?? undefined } }),
    },
    mayChange && { label: t('Delete'), icon: 'trash', onChoose: () => setDialog('delete') },
  ];

  return (
    <section
      className="card panel"
      aria-labelledby={headingId}
      aria-busy={query.isFetching}
      data-arranging-by={arranging?.by}
      style={style}
    >
      <div className="card-head">
        <h2 id={headingId} dir="auto" title={title}>
          <span className="clamped">{title}</span>
        </h2>
        {mark !== undefined && (
          <IconButton className="button quiet icon agent-mark" icon="chip" label={mark} onClick={onMark} />
        )}
        {mayChange && (
          <IconButton
            id={handleId('move', id)}
            className="button quiet icon handle"
            icon="move"
            label={t('Move {title}', { title })}
            {...arranger.handle('move', id)}
          />
        )}
        <Menu label={t('Actions of {title}', { title })} items={items} />
      </div>
      <CardBody query={query} isTable={isTable} />
      {arranging?.by === 'keys' ? (
        <ArrangingBar arranger={arranger} title={title} />
      ) : (
        <CardFoot query={query} range={range} />
      )}
      {mayChange && (
        <IconButton
          id={handleId('resize', id)}
          className="button quiet icon handle resize-handle"
          icon="resize"
          label={t('Resize {title}', { title })}
          {...arranger.handle('resize', id)}
        />
      )}
      {dialog && (
        <CardDialog name={dialog} card={card} tabs={tabs} query={query} range={range} onClose={() => setDialog(null)} />
      )}
    </section>
  );
}

/** Buttons that move or resize a card, for users who neither drag nor use arrow keys. */
function ArrangingBar({ arranger, title }: { arranger: Arranger; title: string }) {
  const bar = useRef<HTMLFieldSetElement>(null);
  const { arranging, step, keep, cancel } = arranger;
  useEffect(() => {
    // Later than the menu, which returns the focus to its button when it closes.
    const frame = requestAnimationFrame(() => bar.current?.querySelector<HTMLElement>('.primary')?.focus());
    return () => cancelAnimationFrame(frame);
  }, []);
  const isMove = arranging?.kind === 'move';
  return (
    <fieldset ref={bar} className="arranging-bar" data-arranging="">
      <legend className="visually-hidden">
        {isMove ? t('Move {title}', { title }) : t('Resize {title}', { title })}
      </legend>
      <IconButton icon="left" label={isMove ? t('Left') : t('Narrower')} onClick={() => step({ dx: -1, dy: 0 })} />
      <IconButton icon="up" label={isMove ? t('Up') : t('Shorter')} onClick={() => step({ dx: 0, dy: -1 })} />
      <IconButton icon="down" label={isMove ? t('Down') : t('Taller')} onClick={() => step({ dx: 0, dy: 1 })} />
      <IconButton icon="right" label={isMove ? t('Right') : t('Wider')} onClick={() => step({ dx: 1, dy: 0 })} />
      <Button look="primary" onClick={keep}>
        {t('Save')}
      </Button>
      <IconButton icon="close" label={t('Cancel')} onClick={cancel} />
    </fieldset>
  );
}

const TYPES = { png: 'image/png', svg: 'image/svg+xml' } as const;
type Kind = keyof typeof TYPES;

interface Pictured {
  id: string;
  title: string;
}

/** Copies the card as a PNG to the clipboard; downloads it if the browser refuses. */
async function copyPicture(card: Pictured, range: PageRange): Promise<void> {
  const picture = pictureOf(card, range, 'png');
  try {
    // A promise, because Safari allows the call only while it handles the click.
    await navigator.clipboard.write([new ClipboardItem({ [TYPES.png]: picture })]);
    announce(t('Picture copied'));
  } catch {
    await save(card, 'png', picture, t('The browser does not allow copying pictures here, so it was downloaded.'));
  }
}

function downloadPicture(card: Pictured, range: PageRange, kind: Kind): Promise<void> {
  return save(card, kind, pictureOf(card, range, kind), t('Picture downloaded'));
}

async function save({ title }: Pictured, kind: Kind, picture: Promise<Blob>, said: string): Promise<void> {
  try {
    download(fileNameOf(title, kind), await picture);
    announce(said);
  } catch (error) {
    announce(`${t('The picture could not be made.')} ${messageOf(error)}`);
  }
}

function pictureOf({ id }: Pictured, range: PageRange, kind: Kind): Promise<Blob> {
  const query = { ...range, width: 800, height: 450, scale: 2, theme: themeNow(), locale: LOCALE };
  const headers = { accept: TYPES[kind] };
  return answerOf(client.GET(`${CARDS}/{id}/render`, { params: { path: { id }, query }, headers, parseAs: 'blob' }));
}

function themeNow(): 'light' | 'dark' {
  const { theme } = document.documentElement.dataset;
  if (theme === 'light' || theme === 'dark') return theme;
  return window.matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}
