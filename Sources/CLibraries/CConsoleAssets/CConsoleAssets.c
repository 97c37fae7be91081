// The files of the folder Web, embedded. Written by scripts/lib/console_assets.py: run it when a file comes or goes.
#include "CConsoleAssets.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char api_js[] = {
#embed "../../../Web/api.js"
};
static const unsigned char app_js[] = {
#embed "../../../Web/app.js"
};
static const unsigned char campaign_states_js[] = {
#embed "../../../Web/campaign-states.js"
};
static const unsigned char components_chart_js[] = {
#embed "../../../Web/components/chart.js"
};
static const unsigned char components_dialog_js[] = {
#embed "../../../Web/components/dialog.js"
};
static const unsigned char components_filters_js[] = {
#embed "../../../Web/components/filters.js"
};
static const unsigned char components_form_js[] = {
#embed "../../../Web/components/form.js"
};
static const unsigned char components_funnel_js[] = {
#embed "../../../Web/components/funnel.js"
};
static const unsigned char components_icon_js[] = {
#embed "../../../Web/components/icon.js"
};
static const unsigned char components_notice_js[] = {
#embed "../../../Web/components/notice.js"
};
static const unsigned char components_notification_js[] = {
#embed "../../../Web/components/notification.js"
};
static const unsigned char components_page_js[] = {
#embed "../../../Web/components/page.js"
};
static const unsigned char components_phone_js[] = {
#embed "../../../Web/components/phone.js"
};
static const unsigned char components_secret_js[] = {
#embed "../../../Web/components/secret.js"
};
static const unsigned char components_table_js[] = {
#embed "../../../Web/components/table.js"
};
static const unsigned char dom_js[] = {
#embed "../../../Web/dom.js"
};
static const unsigned char emulated_phones_js[] = {
#embed "../../../Web/emulated-phones.js"
};
static const unsigned char format_js[] = {
#embed "../../../Web/format.js"
};
static const unsigned char icons_pharos_svg[] = {
#embed "../../../Web/icons/pharos.svg"
};
static const unsigned char index_html[] = {
#embed "../../../Web/index.html"
};
static const unsigned char pages_account_js[] = {
#embed "../../../Web/pages/account.js"
};
static const unsigned char pages_apps_js[] = {
#embed "../../../Web/pages/apps.js"
};
static const unsigned char pages_audit_js[] = {
#embed "../../../Web/pages/audit.js"
};
static const unsigned char pages_campaign_js[] = {
#embed "../../../Web/pages/campaign.js"
};
static const unsigned char pages_campaigns_js[] = {
#embed "../../../Web/pages/campaigns.js"
};
static const unsigned char pages_composer_js[] = {
#embed "../../../Web/pages/composer.js"
};
static const unsigned char pages_composer_campaign_js[] = {
#embed "../../../Web/pages/composer/campaign.js"
};
static const unsigned char pages_composer_compose_js[] = {
#embed "../../../Web/pages/composer/compose.js"
};
static const unsigned char pages_composer_moments_js[] = {
#embed "../../../Web/pages/composer/moments.js"
};
static const unsigned char pages_composer_options_js[] = {
#embed "../../../Web/pages/composer/options.js"
};
static const unsigned char pages_composer_pairs_js[] = {
#embed "../../../Web/pages/composer/pairs.js"
};
static const unsigned char pages_composer_review_js[] = {
#embed "../../../Web/pages/composer/review.js"
};
static const unsigned char pages_composer_schedule_js[] = {
#embed "../../../Web/pages/composer/schedule.js"
};
static const unsigned char pages_composer_segment_rules_js[] = {
#embed "../../../Web/pages/composer/segment-rules.js"
};
static const unsigned char pages_composer_segment_js[] = {
#embed "../../../Web/pages/composer/segment.js"
};
static const unsigned char pages_composer_target_js[] = {
#embed "../../../Web/pages/composer/target.js"
};
static const unsigned char pages_composer_test_message_js[] = {
#embed "../../../Web/pages/composer/test-message.js"
};
static const unsigned char pages_device_js[] = {
#embed "../../../Web/pages/device.js"
};
static const unsigned char pages_device_forms_js[] = {
#embed "../../../Web/pages/device/forms.js"
};
static const unsigned char pages_devices_js[] = {
#embed "../../../Web/pages/devices.js"
};
static const unsigned char pages_home_js[] = {
#embed "../../../Web/pages/home.js"
};
static const unsigned char pages_iphones_js[] = {
#embed "../../../Web/pages/iphones.js"
};
static const unsigned char pages_iphones_phone_card_js[] = {
#embed "../../../Web/pages/iphones/phone-card.js"
};
static const unsigned char pages_iphones_quick_send_js[] = {
#embed "../../../Web/pages/iphones/quick-send.js"
};
static const unsigned char pages_iphones_switches_js[] = {
#embed "../../../Web/pages/iphones/switches.js"
};
static const unsigned char pages_keys_js[] = {
#embed "../../../Web/pages/keys.js"
};
static const unsigned char pages_keys_apns_keys_js[] = {
#embed "../../../Web/pages/keys/apns-keys.js"
};
static const unsigned char pages_keys_server_keys_js[] = {
#embed "../../../Web/pages/keys/server-keys.js"
};
static const unsigned char pages_keys_service_accounts_js[] = {
#embed "../../../Web/pages/keys/service-accounts.js"
};
static const unsigned char pages_keys_upload_js[] = {
#embed "../../../Web/pages/keys/upload.js"
};
static const unsigned char pages_message_js[] = {
#embed "../../../Web/pages/message.js"
};
static const unsigned char pages_messages_js[] = {
#embed "../../../Web/pages/messages.js"
};
static const unsigned char pages_messages_live_tail_js[] = {
#embed "../../../Web/pages/messages/live-tail.js"
};
static const unsigned char pages_new_password_js[] = {
#embed "../../../Web/pages/new-password.js"
};
static const unsigned char pages_overview_js[] = {
#embed "../../../Web/pages/overview.js"
};
static const unsigned char pages_projects_js[] = {
#embed "../../../Web/pages/projects.js"
};
static const unsigned char pages_reports_js[] = {
#embed "../../../Web/pages/reports.js"
};
static const unsigned char pages_server_js[] = {
#embed "../../../Web/pages/server.js"
};
static const unsigned char pages_sign_in_js[] = {
#embed "../../../Web/pages/sign-in.js"
};
static const unsigned char pages_topic_js[] = {
#embed "../../../Web/pages/topic.js"
};
static const unsigned char pages_topics_js[] = {
#embed "../../../Web/pages/topics.js"
};
static const unsigned char pages_user_js[] = {
#embed "../../../Web/pages/user.js"
};
static const unsigned char pages_users_js[] = {
#embed "../../../Web/pages/users.js"
};
static const unsigned char reload_js[] = {
#embed "../../../Web/reload.js"
};
static const unsigned char routes_js[] = {
#embed "../../../Web/routes.js"
};
static const unsigned char session_js[] = {
#embed "../../../Web/session.js"
};
static const unsigned char shell_js[] = {
#embed "../../../Web/shell.js"
};
static const unsigned char style_base_css[] = {
#embed "../../../Web/style/base.css"
};
static const unsigned char style_charts_css[] = {
#embed "../../../Web/style/charts.css"
};
static const unsigned char style_parts_css[] = {
#embed "../../../Web/style/parts.css"
};
static const unsigned char style_phone_css[] = {
#embed "../../../Web/style/phone.css"
};
static const unsigned char theme_js[] = {
#embed "../../../Web/theme.js"
};

static const struct console_asset assets[] = {
    {"api.js", api_js, sizeof api_js},
    {"app.js", app_js, sizeof app_js},
    {"campaign-states.js", campaign_states_js, sizeof campaign_states_js},
    {"components/chart.js", components_chart_js, sizeof components_chart_js},
    {"components/dialog.js", components_dialog_js, sizeof components_dialog_js},
    {"components/filters.js", components_filters_js, sizeof components_filters_js},
    {"components/form.js", components_form_js, sizeof components_form_js},
    {"components/funnel.js", components_funnel_js, sizeof components_funnel_js},
    {"components/icon.js", components_icon_js, sizeof components_icon_js},
    {"components/notice.js", components_notice_js, sizeof components_notice_js},
    {"components/notification.js", components_notification_js, sizeof components_notification_js},
    {"components/page.js", components_page_js, sizeof components_page_js},
    {"components/phone.js", components_phone_js, sizeof components_phone_js},
    {"components/secret.js", components_secret_js, sizeof components_secret_js},
    {"components/table.js", components_table_js, sizeof components_table_js},
    {"dom.js", dom_js, sizeof dom_js},
    {"emulated-phones.js", emulated_phones_js, sizeof emulated_phones_js},
    {"format.js", format_js, sizeof format_js},
    {"icons/pharos.svg", icons_pharos_svg, sizeof icons_pharos_svg},
    {"index.html", index_html, sizeof index_html},
    {"pages/account.js", pages_account_js, sizeof pages_account_js},
    {"pages/apps.js", pages_apps_js, sizeof pages_apps_js},
    {"pages/audit.js", pages_audit_js, sizeof pages_audit_js},
    {"pages/campaign.js", pages_campaign_js, sizeof pages_campaign_js},
    {"pages/campaigns.js", pages_campaigns_js, sizeof pages_campaigns_js},
    {"pages/composer.js", pages_composer_js, sizeof pages_composer_js},
    {"pages/composer/campaign.js", pages_composer_campaign_js, sizeof pages_composer_campaign_js},
    {"pages/composer/compose.js", pages_composer_compose_js, sizeof pages_composer_compose_js},
    {"pages/composer/moments.js", pages_composer_moments_js, sizeof pages_composer_moments_js},
    {"pages/composer/options.js", pages_composer_options_js, sizeof pages_composer_options_js},
    {"pages/composer/pairs.js", pages_composer_pairs_js, sizeof pages_composer_pairs_js},
    {"pages/composer/review.js", pages_composer_review_js, sizeof pages_composer_review_js},
    {"pages/composer/schedule.js", pages_composer_schedule_js, sizeof pages_composer_schedule_js},
    {"pages/composer/segment-rules.js", pages_composer_segment_rules_js, sizeof pages_composer_segment_rules_js},
    {"pages/composer/segment.js", pages_composer_segment_js, sizeof pages_composer_segment_js},
    {"pages/composer/target.js", pages_composer_target_js, sizeof pages_composer_target_js},
    {"pages/composer/test-message.js", pages_composer_test_message_js, sizeof pages_composer_test_message_js},
    {"pages/device.js", pages_device_js, sizeof pages_device_js},
    {"pages/device/forms.js", pages_device_forms_js, sizeof pages_device_forms_js},
    {"pages/devices.js", pages_devices_js, sizeof pages_devices_js},
    {"pages/home.js", pages_home_js, sizeof pages_home_js},
    {"pages/iphones.js", pages_iphones_js, sizeof pages_iphones_js},
    {"pages/iphones/phone-card.js", pages_iphones_phone_card_js, sizeof pages_iphones_phone_card_js},
    {"pages/iphones/quick-send.js", pages_iphones_quick_send_js, sizeof pages_iphones_quick_send_js},
    {"pages/iphones/switches.js", pages_iphones_switches_js, sizeof pages_iphones_switches_js},
    {"pages/keys.js", pages_keys_js, sizeof pages_keys_js},
    {"pages/keys/apns-keys.js", pages_keys_apns_keys_js, sizeof pages_keys_apns_keys_js},
    {"pages/keys/server-keys.js", pages_keys_server_keys_js, sizeof pages_keys_server_keys_js},
    {"pages/keys/service-accounts.js", pages_keys_service_accounts_js, sizeof pages_keys_service_accounts_js},
    {"pages/keys/upload.js", pages_keys_upload_js, sizeof pages_keys_upload_js},
    {"pages/message.js", pages_message_js, sizeof pages_message_js},
    {"pages/messages.js", pages_messages_js, sizeof pages_messages_js},
    {"pages/messages/live-tail.js", pages_messages_live_tail_js, sizeof pages_messages_live_tail_js},
    {"pages/new-password.js", pages_new_password_js, sizeof pages_new_password_js},
    {"pages/overview.js", pages_overview_js, sizeof pages_overview_js},
    {"pages/projects.js", pages_projects_js, sizeof pages_projects_js},
    {"pages/reports.js", pages_reports_js, sizeof pages_reports_js},
    {"pages/server.js", pages_server_js, sizeof pages_server_js},
    {"pages/sign-in.js", pages_sign_in_js, sizeof pages_sign_in_js},
    {"pages/topic.js", pages_topic_js, sizeof pages_topic_js},
    {"pages/topics.js", pages_topics_js, sizeof pages_topics_js},
    {"pages/user.js", pages_user_js, sizeof pages_user_js},
    {"pages/users.js", pages_users_js, sizeof pages_users_js},
    {"reload.js", reload_js, sizeof reload_js},
    {"routes.js", routes_js, sizeof routes_js},
    {"session.js", session_js, sizeof session_js},
    {"shell.js", shell_js, sizeof shell_js},
    {"style/base.css", style_base_css, sizeof style_base_css},
    {"style/charts.css", style_charts_css, sizeof style_charts_css},
    {"style/parts.css", style_parts_css, sizeof style_parts_css},
    {"style/phone.css", style_phone_css, sizeof style_phone_css},
    {"theme.js", theme_js, sizeof theme_js},
};

const struct console_asset *console_asset_at(size_t place) {
    return place < sizeof assets / sizeof assets[0] ? &assets[place] : NULL;
}
