curl -i 'https://address.podium.invalid/cdp/v1/users/events/validate' \
  -H "Authorization: Bearer $PODIUM_EVENT_KEY" \
  -H 'Content-Type: application/json' \
  -d '{
    "platform": "your-platform-name",
    "platform_user_id": "user-1",
    "event": {"id": "deposit-93f1", "name": "deposit", "created_at": 1767225600, "attributes": []}
  }'
