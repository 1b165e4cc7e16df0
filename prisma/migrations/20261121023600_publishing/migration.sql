-- What is scheduled, by its time: the job that publishes looks here every few seconds.
CREATE INDEX "content_item_scheduled" ON "content_item" ("published_at") WHERE "status" = 'future';
