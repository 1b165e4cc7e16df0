-- CreateTable
CREATE TABLE "feed" (
    "name" TEXT NOT NULL,
    "version" INTEGER NOT NULL,

    CONSTRAINT "feed_pkey" PRIMARY KEY ("name")
);
