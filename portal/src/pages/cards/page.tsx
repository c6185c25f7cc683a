import { PageHead } from '../../ui/page-head.tsx';

export function NewCard() {
  return <PageHead title="New card" />;
}

export function EditCard() {
  return <PageHead title="Card" />;
}
