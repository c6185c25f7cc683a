import type { RenderedCard } from '../../core/analytics/dashboards/render.ts';
import type { ToolContext } from '../define.ts';

/** Small, because models pay for pixels. */
const SIZE = { width: 640, height: 360, scale: 1, theme: 'light', locale: 'en' } as const;

/** A PNG in base64. */
export async function pictureOf(card: RenderedCard, { services, caller, signal }: ToolContext): Promise<string> {
  const png = await services.pictures.png(card, { ...SIZE, tenantId: caller.tenantId }, signal);
  return Buffer.from(png).toString('base64');
}
