-- A job deletes invitations by the time when they ended.
CREATE INDEX "care_invitation_expires_at_idx" ON "care_invitation"("expires_at");
