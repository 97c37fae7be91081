extension Migration {
    /// Numbers devices in the order of their check-in, and keeps inboxes by these numbers.
    ///
    /// A topic is split in the order of its registrations, which is about that of the check-ins: rows for neighbours lie
    /// on the same pages of the index. By the devices' own ids, which are random, each row would change a page of its
    /// own. `InboxNumber` says what stands for a device that never checked in.
    static let fifthSchema = Migration(
        version: 5,
        sql: """
            ALTER TABLE devices ADD COLUMN serial INTEGER;
            UPDATE devices SET serial = numbered.serial FROM
                (SELECT android_id, row_number() OVER (ORDER BY created_at, android_id) AS serial FROM devices) numbered
                WHERE numbered.android_id = devices.android_id;
            INSERT INTO settings SELECT 'last-device-serial', count(*) FROM devices;
            UPDATE inbox SET device = ifnull((SELECT serial FROM devices WHERE android_id = inbox.device), ~device);
            CREATE INDEX inbox_by_key ON inbox (device, registration) WHERE collapse_key IS NOT NULL;
            """)
}
