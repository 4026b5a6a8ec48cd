-- Not compatible, with 0009: stop the api processes of earlier versions before, which read users.tenant_id and role.
-- The link of an invitation is mailed. Links that were handed to those who invited are good for nothing any more: whoever
-- made one could have opened it in the name of the invited address.
ALTER TABLE "invitations" ADD COLUMN "message_id" uuid;--> statement-breakpoint
UPDATE invitations SET revoked_at = now() WHERE accepted_at IS NULL AND revoked_at IS NULL;
