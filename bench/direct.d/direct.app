type=script
scriptType=python
enabled=true
id=bench
name=Bench
file_0=direct_app.py
