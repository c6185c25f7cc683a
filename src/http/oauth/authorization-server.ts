import type { EventEmitter } from 'node:events';
import type { Request, Response } from 'express';
import { type KoaContextWithOIDC, Provider } from 'oidc-provider';
import { matchesHash } from '../../core/access/auth/secrets.ts';
import type { AllowedRequest, PendingRequest } from '../../core/access/oauth/consent.ts';
import type { ClientKind } from '../../core/access/oauth/store.ts';
import type { OAuthBase } from './address.ts';
import { adaptAnswers } from './answers.ts';
import { withoutEmpty } from './client-metadata.ts';
import { configurationOf } from './configuration.ts';
import type { AuthorizationServerParts } from './parts.ts';
import { newRefreshToken } from './refresh-token.ts';

/** OAuth 2.1 by `oidc-provider`, for one issuer. */
export class AuthorizationServer {
  readonly base: OAuthBase;
  private readonly provider: Provider;
  private readonly parts: AuthorizationServerParts;

  constructor(base: OAuthBase, parts: AuthorizationServerParts) {
    this.base = base;
    this.parts = parts;
    this.provider = new Provider(base, configurationOf(base, parts));
    const { protocol, host } = new URL(base);
    // The library writes addresses as the request came, which behind a proxy is not the public
    // address.
    Object.defineProperty(this.provider.request, 'protocol', { value: protocol.slice(0, -1) });
    Object.defineProperty(this.provider.request, 'host', { value: host });
    this.provider.use(adaptAnswers(base, parts));
    const Client = this.provider.Client as unknown as { needsSecret(metadata: Record<string, unknown>): boolean };
    const { needsSecret } = Client;
    Client.needsSecret = (metadata) => needsSecret(withoutEmpty(metadata));
    // The adapter returns the hash of the secret.
    this.provider.Client.prototype.compareClientSecret = function compare(actual: string) {
      return this.clientSecret !== undefined && matchesHash(actual, this.clientSecret);
    };
    Object.assign(this.provider.RefreshToken.prototype, {
      generateTokenId(this: { grantId: string }) {
        return newRefreshToken(parts.secretKey, this.grantId);
      },
    });
    this.provider.on('authorization.error', (context, error) => {
      context.state.fault = error;
    });
    this.provider.on('grant.revoked', (context, grantId) => void this.recordEnd(context, grantId));
    this.provider.on('server_error', (_context, error) => parts.onError(error));
    // Koa prints errors that nobody listens for.
    (this.provider as EventEmitter).on('error', (error) => parts.onError(error));
  }

  async handle(request: Request, response: Response): Promise<void> {
    await this.provider.callback()(request, response);
  }

  /** Null: unknown, answered or expired. */
  async pending(id: string): Promise<PendingRequest | null> {
    const interaction = await this.provider.Interaction.find(id);
    if (!interaction || interaction.result) return null;
    const { client_id: clientId, redirect_uri: redirectUri, scope, resource } = interaction.params;
    const client = await this.provider.Client.find(String(clientId));
    if (!client) return null;
    return {
      clientId: client.clientId,
      clientName: client.clientName ?? null,
      clientKind: await this.kindOf(client.clientId),
      redirectUri: String(redirectUri),
      resource: String([resource].flat()[0]),
      scopes: String(scope ?? '').split(' '),
      expiresAt: interaction.exp * 1_000,
    };
  }

  allow(id: string, { userId, grantId, approvalHash }: AllowedRequest): Promise<string> {
    return this.answer(id, { login: { accountId: userId, remember: false }, consent: { grantId }, approvalHash });
  }

  refuse(id: string): Promise<string> {
    return this.answer(id, { error: 'access_denied', error_description: 'The user refused.' });
  }

  private async answer(id: string, result: Record<string, unknown>): Promise<string> {
    const interaction = await this.provider.Interaction.find(id);
    if (!interaction) throw new Error('the request has expired meanwhile');
    interaction.result = result;
    await interaction.persist();
    return interaction.returnTo;
  }

  private async kindOf(clientId: string): Promise<ClientKind> {
    return (await this.parts.store.findClient(clientId))?.kind ?? 'document';
  }

  private async recordEnd(context: KoaContextWithOIDC, grantId: string): Promise<void> {
    try {
      const grant = await this.parts.store.findGrant(grantId);
      const isRevocation = context.oidc.route === 'revocation';
      const reason = isRevocation ? 'revoked by the application' : 'a used refresh token or code came again';
      if (grant) await this.parts.onEnded(grant, reason);
    } catch (error) {
      this.parts.onError(error);
    }
  }
}
